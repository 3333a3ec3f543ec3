/** ahead.h - the frames that the arrow keys would bring next, drawn while nobody waits for one. */
#ifndef UI_AHEAD_H
#define UI_AHEAD_H
#include "app.h"

/** One frame: the editor as it would be behind the key, and what it would show. The editor's parts are borrowed. */
struct ui_foreseen {
	bool ready;
	struct ui_app app;
	struct ui_canvas canvas;
};

/** All zeros at first. Owns the canvases. */
struct ui_ahead {
	struct ui_foreseen up, down;
};

/** Draws ahead on canvases like shape, if the main view is in front and nothing but the selection can change; forgets
 *  what was drawn before. The editor itself does not change. */
void ui_ahead_make(struct ui_ahead *a, const struct ui_app *app,
		   const struct ui_canvas *shape);

/** If what key brings was drawn, app and c become that, and true. Nothing but this key may have come since it was made:
 *  what is left is forgotten either way. */
bool ui_ahead_take(struct ui_ahead *a, int key, struct ui_app *app, struct ui_canvas *c);

/** Something has changed: forgets what was drawn. */
void ui_ahead_drop(struct ui_ahead *a);

/** Frees the canvases. */
void ui_ahead_release(struct ui_ahead *a);
#endif
