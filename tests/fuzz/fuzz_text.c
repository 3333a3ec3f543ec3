/* Words that nobody vouches for: sizes are read or refused, and what is shown is valid and stays in its cells. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/text.h"
#include "canvas.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct af_amount amount;
	struct af_err err;
	struct ui_canvas c;
	char clean[64], *text = malloc(n + 1);
	assert(text);
	memcpy(text, data, n);
	text[n] = '\0';
	if (af_text_parse(text, &amount, &err)) {
		af_bytes bytes = 0;
		assert(amount.value >= 0);
		if (af_amount_bytes(&amount, 512, AF_GIB, &bytes, &err))
			assert(bytes >= 0);
	}
	af_text_clean(text, clean, sizeof(clean));
	assert(strlen(clean) < sizeof(clean));
	ui_canvas_init(&c, 3, 20, n % 2);
	assert(ui_canvas_text(&c, 1, -3, 40, UI_ROLE_TEXT, text) <= 40);
	(void)ui_canvas_wrap(&c, (struct ui_rect){ 0, 2, 2, 9 }, UI_ROLE_BAD, text);
	ui_canvas_release(&c);
	free(text);
	return 0;
}
