/** chooser.h - the screen that a disk is chosen on: the disks of the machine, and any image by its path. */
#ifndef UI_CHOOSER_H
#define UI_CHOOSER_H
#include "afdisk/disks.h"
#include "app.h"

/** Puts it in front, with nothing in it: ui_chooser_start() comes after the first frame. */
void ui_chooser_open(struct ui_app *app);

/** Begins to look for disks. There is a chooser, as for all that follows. */
void ui_chooser_start(struct ui_app *app);

/** Lists and reads all disks anew. */
void ui_chooser_refresh(struct ui_app *app);

/** A descriptor that becomes readable when there is something for ui_chooser_take(). */
int ui_chooser_fd(const struct ui_app *app);

/** Takes what has come in since: facts of disks, the end of a try to open one, how a typed path goes on. */
void ui_chooser_take(struct ui_app *app);

/** Shows n disks; they are borrowed until the next time. What is selected stays, by its path. */
void ui_chooser_show(struct ui_app *app, const struct af_disk_facts *disk, size_t n);
#endif
