/*
 * Small questions: which label, which file, whether to leave this disk. Each ends in one verb of the session.
 */
#include "ask.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "afdisk/layout_hybrid.h"
#include "afdisk/script.h"
#include "chooser.h"
#include "form.h"
#include "review.h"

enum { CONVERT = 16, LOAD = 32 }; /* the first is added to the scheme of a choice */

#define LOAD_CHOICE                                                                        \
	{                                                                                  \
		"load", "what an sfdisk script says: partitions too", LOAD                 \
	}

static void label_chosen(struct ui_app *app, int value)
{
	if (value == LOAD) {
		ui_ask_load(app);
		return;
	}
	const bool converts = value >= CONVERT;
	const struct af_command cmd = { .verb = converts ? AF_VERB_CONVERT : AF_VERB_LABEL,
					.scheme = (enum af_scheme)(value % CONVERT) };
	if (ui_app_do(app, &cmd) && !converts)
		ui_app_say(
			app, UI_ROLE_GOOD,
			"done: new label %s (Ctrl-Z takes it back); n makes a partition, p "
			"whole layouts",
			af_scheme_name(cmd.scheme));
}

void ui_ask_label(struct ui_app *app)
{
	static const struct ui_choice fresh[] = {
		{ "gpt",
		  "for disks of any size: 128 partitions, names, a backup copy at the end",
		  AF_SCHEME_GPT },
		{ "dos",
		  "MBR, for old systems: 4 primary partitions or logicals, up to 2 TiB",
		  AF_SCHEME_MBR },
		LOAD_CHOICE,
	};
	static const struct ui_choice to_gpt[] = {
		{ "convert", "to gpt: every partition stays where it is, logicals too",
		  CONVERT + AF_SCHEME_GPT },
		{ "gpt", "an empty GPT: all partitions go", AF_SCHEME_GPT },
		{ "dos", "an empty MBR: all partitions go", AF_SCHEME_MBR },
		LOAD_CHOICE,
	};
	static const struct ui_choice to_dos[] = {
		{ "convert",
		  "to dos: every partition stays where it is; names and UUIDs are lost",
		  CONVERT + AF_SCHEME_MBR },
		{ "gpt", "an empty GPT: all partitions go", AF_SCHEME_GPT },
		{ "dos", "an empty MBR: all partitions go", AF_SCHEME_MBR },
		LOAD_CHOICE,
	};
	const struct af_disk *d = &app->picture.disk;
	const struct af_layout *l = d->layout;
	const bool keeps = l->nparts > 0 && !af_session_locked(app->session);
	const struct ui_choice *kept = l->scheme == AF_SCHEME_MBR ? to_gpt : to_dos;
	const char *question = "New partition table (Esc: not now):";
	char lost[160];
	if (keeps)
		question = "Convert this table, or start an empty one? (Ctrl-Z takes it "
			   "back; Esc: no)";
	else if (l->nparts > 0)
		question = "New partition table: all partitions go (Ctrl-Z brings them "
			   "back; Esc: no):";
	if (!keeps && d->holds != NULL && d->holds[0] != '\0') {
		snprintf(lost, sizeof(lost), "A new label wipes %s%.60s (Esc: no):",
			 l->nparts > 0 ? "all partitions and " : "", d->holds);
		question = lost;
	}
	ui_form_choice(app, question, keeps ? kept : fresh, keeps ? 4 : 3, label_chosen);
}

static void hybrid_chosen(struct ui_app *app, int value)
{
	const struct af_command cmd = { .verb = AF_VERB_HYBRID,
					.hybrid = (enum af_hybrid)value };
	ui_app_do(app, &cmd);
}

void ui_ask_hybrid(struct ui_app *app)
{
	static const struct ui_choice item[] = {
		{ "update",
		  "the entry follows its partition, or goes with it, now and later",
		  AF_HYBRID_UPDATE },
		{ "keep", "the MBR stays as it is: old systems see the old place",
		  AF_HYBRID_KEEP },
		{ "protect", "one entry over the whole disk: old systems see no partitions",
		  AF_HYBRID_NONE },
	};
	const struct af_layout *l = app->picture.disk.layout;
	const uint32_t entry = af_layout_open_mirror(l);
	char question[120];
	if (entry == 0)
		return;
	snprintf(question, sizeof(question),
		 "Entry %" PRIu32 " (%02x) of the hybrid MBR mirrors what you change. What "
		 "becomes of it?",
		 entry, l->mirror[entry - 1].type);
	ui_form_choice(app, question, item, 3, hybrid_chosen);
}

/* Writes all of text; errno says why not. */
static bool write_all(int fd, const char *text, size_t len)
{
	while (len > 0) {
		const ssize_t n = write(fd, text, len);
		if (n < 0 && errno != EINTR)
			return false;
		text += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0; /* positive */
	}
	return true;
}

static void save_script(struct ui_app *app, const char *file, const struct af_text *script)
{
	const int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0 && errno == EEXIST) {
		ui_app_say(app, UI_ROLE_BAD,
			   "not saved: %s exists already; give another name", file);
		return;
	}
	bool ok = fd >= 0 && write_all(fd, af_text_get(script), script->len);
	const int why = errno;
	if (fd >= 0 && close(fd) != 0)
		ok = false;
	if (ok)
		ui_app_say(app, UI_ROLE_GOOD,
			   "saved: sfdisk %s < %s makes this table again",
			   app->picture.disk.path, file);
	else
		ui_app_say(app, UI_ROLE_BAD, "cannot save the script as %s: %s", file,
			   strerror(why));
}

static void dump_named(struct ui_app *app, const char *file)
{
	struct af_text script = { 0 };
	struct af_err err = { 0 };
	if (file[0] == '\0')
		ui_app_say(app, UI_ROLE_WARN, "not saved: no file name");
	else if (af_session_dump(app->session, &script, &err))
		save_script(app, file, &script);
	else
		ui_app_say(app, UI_ROLE_BAD, "%s", err.text);
	af_text_release(&script);
}

void ui_ask_dump(struct ui_app *app)
{
	const struct ui_line_form form = {
		.question = "Save the table as an sfdisk script in file:",
		.hint = "Enter: save; Esc: cancel. A file that exists is not touched",
		.initial = "",
		.done = dump_named,
	};
	ui_form_line(app, &form);
}

/* Reads a whole regular file of at most AF_SCRIPT_BYTES_MAX bytes; appends to text. errno says why not, 0 for what is no
 * script for sure. */
static bool read_all(int fd, struct af_text *text)
{
	char bytes[4096];
	struct stat about;
	errno = 0;
	if (fstat(fd, &about) != 0)
		return false;
	if (!S_ISREG(about.st_mode) || about.st_size > (off_t)AF_SCRIPT_BYTES_MAX)
		return false;
	for (;;) {
		const ssize_t n = read(fd, bytes, sizeof(bytes));
		if (n == 0)
			return true;
		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0)
			af_text_put(text, bytes, (size_t)n);
		errno = 0;
		if (text->len > AF_SCRIPT_BYTES_MAX)
			return false;
	}
}

/* The first line of remarks, which is all that there is room for. */
static void say_applied(struct ui_app *app, const char *remarks)
{
	const int first = (int)strcspn(remarks, "\n");
	ui_app_refresh(app, 0);
	if (*remarks)
		ui_app_say(app, UI_ROLE_WARN,
			   "done: apply a script (Ctrl-Z takes it back); %.*s", first,
			   remarks);
	else
		ui_app_say(app, UI_ROLE_GOOD,
			   "done: apply a script (Ctrl-Z takes it back)");
}

static void load_named(struct ui_app *app, const char *file)
{
	struct af_text script = { 0 }, remarks = { 0 };
	struct af_err err = { 0 };
	if (file[0] == '\0') {
		ui_app_say(app, UI_ROLE_WARN, "nothing was loaded: no file name");
		return;
	}
	const int fd = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	const size_t steps = af_session_undos(app->session);
	if (fd < 0 || !read_all(fd, &script))
		ui_app_say(app, UI_ROLE_BAD, "cannot load %s: %s", file,
			   errno ? strerror(errno) : "it is no file of a script's size");
	else if (!af_session_apply(app->session, af_text_get(&script), script.len, &remarks,
				   &err))
		ui_app_say(app, UI_ROLE_BAD, "%s: %s", file, err.text);
	else if (af_session_undos(app->session) == steps)
		ui_app_say(app, UI_ROLE_TEXT, "nothing changed: the table is what %s says",
			   file);
	else
		say_applied(app, af_text_get(&remarks));
	if (fd >= 0)
		(void)close(fd);
	af_text_release(&script);
	af_text_release(&remarks);
}

void ui_ask_load(struct ui_app *app)
{
	const struct ui_line_form form = {
		.question = "Make the table what this sfdisk script says:",
		.hint = "Enter: load it  Esc: cancel  Ctrl-Z takes it back, nothing is "
			"written yet",
		.initial = "",
		.done = load_named,
	};
	ui_form_line(app, &form);
}

enum leave { STAY, REVIEW, LEAVE };

static void open_chosen(struct ui_app *app, int value)
{
	if (value == REVIEW)
		ui_review_open(app, false);
	else if (value == LEAVE)
		ui_chooser_open(app);
}

void ui_ask_open(struct ui_app *app)
{
	static const struct ui_choice item[] = {
		{ "Stay", "go on editing", STAY },
		{ "Review", "see what a write would change", REVIEW },
		{ "Choose",
		  "choose a disk; once another one is opened, the changes are lost",
		  LEAVE },
	};
	if (ui_app_modified(app))
		ui_form_choice(
			app,
			"There are changes that were not written. Choose another disk?",
			item, 3, open_chosen);
	else
		ui_chooser_open(app);
}

static void leave_chosen(struct ui_app *app, int value)
{
	if (value == REVIEW)
		ui_review_open(app, false);
	app->wants_quit = value == LEAVE;
}

void ui_ask_quit(struct ui_app *app)
{
	static const struct ui_choice item[] = {
		{ "Stay", "go on editing", STAY },
		{ "Review", "see what a write would change", REVIEW },
		{ "Quit", "leave; the disk stays as it is, the changes are lost", LEAVE },
	};
	if (ui_app_modified(app))
		ui_form_choice(
			app, "There are changes that were not written. Leave all the same?",
			item, 3, leave_chosen);
	else
		app->wants_quit = true;
}
