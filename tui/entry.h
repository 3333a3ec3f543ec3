/** entry.h - what an entry of a GPT says besides place and type: name, UUID, attributes; and the identifier of the disk. */
#ifndef UI_ENTRY_H
#define UI_ENTRY_H
#include "app.h"

/** Shows them for the selected partition, to be changed one by one; without one, or on an MBR, asks for the identifier of
 *  the disk at once. */
void ui_entry_open(struct ui_app *app);
#endif
