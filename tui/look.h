/** look.h - how the content of a partition looks in the bar and in the table: a letter and a role. */
#ifndef UI_LOOK_H
#define UI_LOOK_H
#include "afdisk/facts.h"
#include "canvas.h"

/** One kind of content. */
struct ui_look {
	const char *fs; /* as libblkid names it; "" for what has no name */
	const char *
		for_people; /* "" or, where the letter comes first in the help, what it stands for */
	char letter[2]; /* "" where there is nothing to tell */
	enum ui_role role;
};

/** The look of a content, NULL being one of which nothing is known. Never NULL, borrowed. */
const struct ui_look *ui_look_of(const struct af_content *maybe_content);

/** The i-th kind that the help explains, or NULL behind the last one. */
const struct ui_look *ui_look_row(size_t i);
#endif
