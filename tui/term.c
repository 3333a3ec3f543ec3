/*
 * The curses door. Knows the terminal's description, what arrives from keyboard and mouse, and signals: they are blocked
 * except while waiting, so nothing happens in the middle of a write. SIGWINCH keeps the handler of curses; what kills the
 * program finds the terminal given back. What to send for a canvas is paint.c's knowledge. Knows no views and no disks.
 */
#include "term.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "keys.h"
#include "paint.h"
#include "theme.h"

#define ESCAPE_MS 25 /* how long the rest of what a key sends may take */

struct ui_term {
	SCREEN *screen;
	bool ascii;
	struct ui_paint paint;
	struct ui_canvas last; /* what the terminal shows; no cells before the first time */
	struct af_text frame;  /* bytes on their way to the terminal */
	sigset_t waiting;      /* the signals that may come in while we wait */
	bool mouse;            /* it has one, and reports it */
};

/* Written by the handler, read after a wait; 0 while nothing asked us to leave. */
static volatile sig_atomic_t end_signal;

/* The program was stopped and goes on: the terminal may show anything. */
static volatile sig_atomic_t went_on;

/* SIGTSTP came in: the terminal is to be given back before the program stops. */
static volatile sig_atomic_t to_stop;

static void on_signal(int number)
{
	if (number == SIGCONT)
		went_on = 1;
	else if (number == SIGTSTP)
		to_stop = 1;
	else
		end_signal = number;
}

static void set_handler(int number, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };
	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

static const int ending[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };
#define ENDINGS (sizeof(ending) / sizeof(ending[0]))

/* Blocks what would end or stop the program or change the window, except in ppoll(). */
static void take_signals(struct ui_term *t)
{
	sigset_t blocked;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGWINCH);
	sigaddset(&blocked, SIGTSTP);
	sigaddset(&blocked, SIGCONT);
	set_handler(SIGCONT, on_signal);
	set_handler(SIGTSTP, on_signal);
	for (size_t i = 0; i < ENDINGS; i++) {
		set_handler(ending[i], on_signal);
		sigaddset(&blocked, ending[i]);
	}
	sigprocmask(SIG_BLOCK, &blocked, &t->waiting);
}

/* A string of the terminal's description; NULL if it has none of that name. */
static const char *capability(const char *name)
{
	char own[16];
	(void)snprintf(own, sizeof(own), "%s",
		       name); /* curses wants to write there, it says */
	const char *bytes = tigetstr(own);
	return (intptr_t)bytes == -1 ? NULL : bytes; /* its word for "not a string" */
}

static bool has_flag(const char *name)
{
	char own[16];
	(void)snprintf(own, sizeof(own), "%s", name);
	return tigetflag(own) > 0;
}

/* Old descriptions ask for waits, "$<5>", which curses would turn into time: left out, no terminal of today is that
 * slow. Both places may be the same. */
static void copy_without_waits(char *to, const char *from)
{
	while (*from) {
		const size_t n = strncmp(from, "$<", 2) == 0 ? strcspn(from, ">") : 0;
		if (n > 0 && from[n] == '>')
			from += n + 1;
		else
			*to++ = *from++;
	}
	*to = '\0';
}

static void add_bytes(char *style, const char *maybe_bytes)
{
	const size_t used = strlen(style);
	if (maybe_bytes && used + strlen(maybe_bytes) < UI_STYLE_MAX)
		copy_without_waits(style + used, maybe_bytes);
}

/* "All attributes off" without the switch back to ASCII: nothing here ever leaves that set. */
static void add_plain(char *style)
{
	static const char ascii_set[] = "\033(B";
	const char *off = capability("sgr0");
	if (off && strncmp(off, ascii_set, strlen(ascii_set)) == 0)
		off += strlen(ascii_set);
	add_bytes(style, off);
}

static void add_colour(char *style, const char *name, int colour)
{
	const char *set = capability(name);
	if (set && colour != UI_COLOUR_DEFAULT)
		add_bytes(style, tiparm(set, colour));
}

static const char *place_cursor(int row, int col)
{
	const char *place = capability("cup");
	char *move = place ? tiparm(place, row, col) : NULL;
	if (!move)
		return "";
	copy_without_waits(move, move);
	return move;
}

static void add_style(char *style, const struct ui_style *s, int colours)
{
	add_bytes(style, s->bold ? capability("bold") : NULL);
	add_bytes(style, s->dim ? capability("dim") : NULL);
	add_bytes(style, s->underline ? capability("smul") : NULL);
	add_bytes(style, s->reverse ? capability("rev") : NULL);
	if (colours > 0) {
		add_colour(style, "setaf", s->front);
		add_colour(style, "setab", s->back);
	}
	ui_paint_merge(style);
}

static void describe_role(struct ui_paint *p, enum ui_role role, int colours)
{
	const struct ui_style s = ui_theme_style(role, colours);
	add_plain(p->style[role]);
	add_style(p->style[role], &s, colours);
	add_style(p->bare[role], &s, colours);
	p->blank[role] = !s.underline && !s.reverse && s.back < 0;
	p->colour[role] = p->blank[role] && !s.bold && !s.dim && s.front >= 0;
}

static bool is_capability(const char *name, const char *bytes)
{
	char own[UI_STYLE_MAX] = "";
	add_bytes(own, capability(name));
	return strcmp(own, bytes) == 0;
}

static void describe(struct ui_paint *p, int colours)
{
	for (int i = 0; i < UI_ROLE_COUNT; i++)
		describe_role(p, (enum ui_role)i, colours);
	p->ecma = is_capability("cup", "\033[%i%p1%d;%p2%dH");
	p->column = is_capability("hpa", "\033[%i%p1%dG");
	p->erases = is_capability("el", "\033[K");
	p->place = place_cursor;
	p->skip_corner = has_flag("am") && !has_flag("xenl");
}

/* How many colours the terminal has, 0 where they cannot be set. */
static int count_colours(void)
{
	char name[] = "colors"; /* curses wants to write there, it says */
	const int n = tigetnum(name);
	return n >= 8 && capability("setaf") && capability("setab") ? n : 0;
}

static SCREEN *open_screen(const char *maybe_name, struct af_err *err)
{
	SCREEN *screen =
		maybe_name && *maybe_name ? newterm(maybe_name, stdout, stdin) : NULL;
	const bool can_place = screen && capability("cup") != NULL;
	if (screen && !can_place) {
		endwin();
		delscreen(screen);
	}
	if (can_place)
		return screen;
	af_fail(err, AF_E_USAGE,
		"terminal type %s cannot show the editor; set TERM, or try --edit",
		maybe_name && *maybe_name ? maybe_name : "(none)");
	return NULL;
}

/* Passes on what is in the frame, waiting where the terminal is slow, and empties it. */
static void send_frame(struct ui_term *t)
{
	const char *bytes = af_text_get(&t->frame);
	size_t n = t->frame.len;
	while (n > 0) {
		const ssize_t done = write(STDOUT_FILENO, bytes, n);
		struct pollfd ready = { .fd = STDOUT_FILENO, .events = POLLOUT };
		if (done < 0 && errno != EINTR &&
		    (errno != EAGAIN || poll(&ready, 1, -1) < 0))
			break; /* the terminal is gone: the next wait says so */
		if (done > 0) {
			bytes += done;
			n -= (size_t)done;
		}
	}
	af_text_clear(&t->frame);
}

/* Clicks, the wheel and what moves while a button is down, in the form that has room for large windows; a terminal with
 * neither is never asked. Shift leaves the mouse to the terminal. */
#define MOUSE_ON  "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l"

/* The console of Linux has a mouse only where a program of its own draws one. */
static bool can_point(const char *name)
{
	return capability("kmous") && strncmp(name, "linux", 5) != 0;
}

/* On with the next frame, off at once. */
static void set_mouse(struct ui_term *t, bool on)
{
	const char *bytes = on ? MOUSE_ON : MOUSE_OFF;
	if (!t->mouse)
		return;
	af_text_put(&t->frame, bytes, strlen(bytes));
	if (!on)
		send_frame(t);
}

/* Codes of our own for the beginnings of its reports; curses would want to read them itself. */
enum { KEY_REPORT = KEY_F(62), KEY_OLD_REPORT = KEY_F(63) };

static void define_reports(void)
{
	define_key("\033[M", KEY_OLD_REPORT);
	define_key("\033[<", KEY_REPORT);
}

struct key_row {
	int curses, key;
};

static const struct key_row key_table[] = {
	{ KEY_UP, UI_KEY_UP },
	{ KEY_DOWN, UI_KEY_DOWN },
	{ KEY_LEFT, UI_KEY_LEFT },
	{ KEY_RIGHT, UI_KEY_RIGHT },
	{ KEY_PPAGE, UI_KEY_PAGE_UP },
	{ KEY_NPAGE, UI_KEY_PAGE_DOWN },
	{ KEY_HOME, UI_KEY_HOME },
	{ KEY_END, UI_KEY_END },
	{ KEY_BTAB, UI_KEY_BACK_TAB },
	{ KEY_BACKSPACE, UI_KEY_BACKSPACE },
	{ KEY_DC, UI_KEY_DELETE },
	{ KEY_IC, UI_KEY_INSERT },
	{ KEY_ENTER, UI_KEY_ENTER },
	{ KEY_F(1), UI_KEY_F1 },
	{ KEY_SR, UI_KEY_SHIFT_UP },
	{ KEY_SF, UI_KEY_SHIFT_DOWN },
	{ KEY_SLEFT, UI_KEY_SHIFT_LEFT },
	{ KEY_SRIGHT, UI_KEY_SHIFT_RIGHT },
};

static int key_of_curses(int code)
{
	for (size_t i = 0; i < sizeof(key_table) / sizeof(key_table[0]); i++)
		if (key_table[i].curses == code)
			return key_table[i].key;
	return UI_KEY_NONE;
}

/* Some descriptions name what Ctrl and a letter send as a key that nobody has: it is Ctrl and that letter here. */
static void free_letters(void)
{
	for (char c = 1; c <= 26; c++) {
		const char sent[] = { c, '\0' };
		const int code = key_defined(sent);
		if (code > 0 && key_of_curses(code) == UI_KEY_NONE)
			define_key(sent, 0);
	}
}

/* What keyboards send for keys that a terminal's description may leave out. */
static void add_keys(void)
{
	static const struct {
		const char *sent;
		int key;
	} more_table[] = {
		{ "\033[1~", KEY_HOME },    { "\033[4~", KEY_END },
		{ "\033[H", KEY_HOME },     { "\033[F", KEY_END },
		{ "\033[5~", KEY_PPAGE },   { "\033[6~", KEY_NPAGE },
		{ "\033[2~", KEY_IC },      { "\033[3~", KEY_DC },
		{ "\033[Z", KEY_BTAB },     { "\033[A", KEY_UP },
		{ "\033[B", KEY_DOWN },     { "\033[C", KEY_RIGHT },
		{ "\033[D", KEY_LEFT },     { "\033[1;2A", KEY_SR },
		{ "\033[1;2B", KEY_SF },    { "\033[1;2C", KEY_SRIGHT },
		{ "\033[1;2D", KEY_SLEFT },
	};
	for (size_t i = 0; i < sizeof(more_table) / sizeof(more_table[0]); i++)
		if (key_defined(more_table[i].sent) == 0)
			define_key(more_table[i].sent, more_table[i].key);
}

/* --- the worst ----------------------------------------------------------------------------------------- */

static const int crash[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
#define CRASHES (sizeof(crash) / sizeof(crash[0]))

/* All that a handler needs to give the terminal back, made before it is needed. */
static struct {
	char bytes[4 * UI_STYLE_MAX];
	size_t n;
	struct termios before;
	struct sigaction old[CRASHES];
} rescue;

/* Whoever was asked before us is asked next: nothing of a crash is hidden. */
static void on_crash(int number)
{
	const char *bytes = rescue.bytes;
	const ssize_t done = write(STDOUT_FILENO, bytes, rescue.n);
	(void)done;
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &rescue.before);
	for (size_t i = 0; i < CRASHES; i++)
		sigaction(crash[i], &rescue.old[i], NULL);
	raise(number);
}

static void expect_crash(const struct ui_term *t, const struct termios *before)
{
	struct sigaction action = { .sa_handler = on_crash };
	char bytes[4][UI_STYLE_MAX] = { MOUSE_OFF };
	add_bytes(bytes[1], capability("sgr0"));
	add_bytes(bytes[2], capability("rmcup"));
	add_bytes(bytes[3], capability("cnorm"));
	rescue.n = 0;
	for (size_t i = t->mouse ? 0 : 1; i < 4; i++)
		rescue.n = af_text_join(rescue.bytes, sizeof(rescue.bytes), rescue.n,
					bytes[i]);
	rescue.before = *before;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < CRASHES; i++)
		sigaction(crash[i], &action, &rescue.old[i]);
}

static void forget_crash(void)
{
	for (size_t i = 0; i < CRASHES; i++)
		sigaction(crash[i], &rescue.old[i], NULL);
}

struct ui_term *ui_term_start(const struct ui_term_options *o, struct af_err *err)
{
	const char *name = getenv("TERM");
	setlocale(LC_CTYPE, "");
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		af_fail(err, AF_E_USAGE,
			"the editor needs a terminal; try --list, or --edit");
		return NULL;
	}
	struct termios before = { 0 };
	(void)tcgetattr(STDIN_FILENO, &before);
	SCREEN *screen = open_screen(name, err);
	if (!screen)
		return NULL;
	struct ui_term *t = af_alloc(1, sizeof(*t));
	t->ascii = o->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	t->screen = screen;
	take_signals(t);
	raw();
	noecho();
	nonl();
	set_escdelay(ESCAPE_MS);
	keypad(stdscr, TRUE);
	add_keys();
	free_letters();
	nodelay(stdscr, TRUE);
	typeahead(-1);
	curs_set(0);
	describe(&t->paint, o->colours ? count_colours() : 0);
	t->mouse = can_point(name);
	if (t->mouse)
		define_reports();
	set_mouse(t, true);
	expect_crash(t, &before);
	return t;
}

/* What comes next is written into the last row, where there is no screen behind this one to go back to. */
static void clear_last_row(struct ui_term *t)
{
	char erase[UI_STYLE_MAX] = "";
	const char *place = place_cursor(t->last.rows - 1, 0);
	add_bytes(erase, capability("el"));
	af_text_put(&t->frame, place, strlen(place));
	af_text_put(&t->frame, erase, strlen(erase));
	send_frame(t);
}

void ui_term_stop(struct ui_term *t)
{
	if (!t)
		return;
	set_mouse(t, false);
	if (t->last.rows > 0)
		clear_last_row(t);
	endwin();
	forget_crash();
	delscreen(t->screen);
	ui_canvas_release(&t->last);
	af_text_release(&t->frame);
	set_handler(SIGCONT, SIG_DFL);
	set_handler(SIGTSTP, SIG_DFL);
	for (size_t i = 0; i < ENDINGS; i++)
		set_handler(ending[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, &t->waiting, NULL);
	free(t);
	if (end_signal)
		raise(end_signal);
}

/* As any program stops, with the terminal as it was before; goes on in what was on the screen. */
static void stop_for_now(struct ui_term *t)
{
	sigset_t stopping;
	to_stop = 0;
	set_mouse(t, false);
	endwin();
	set_handler(SIGTSTP, SIG_DFL);
	sigemptyset(&stopping);
	sigaddset(&stopping, SIGTSTP);
	kill(getpid(), SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stopping, NULL); /* here it stops */
	sigprocmask(SIG_BLOCK, &stopping, NULL);
	set_handler(SIGTSTP, on_signal);
	went_on = 1;
}

bool ui_term_is_ascii(const struct ui_term *t)
{
	return t->ascii;
}

void ui_term_size(const struct ui_term *t, int *rows, int *cols)
{
	(void)t;
	getmaxyx(stdscr, *rows, *cols);
}

/*
 * Curses keeps a blank screen: it knows how to start, to leave and to come back, and what is sent to place the
 * cursor; what is on the screen is sent past it, in one piece and without what did not change.
 */
void ui_term_show(struct ui_term *t, const struct ui_canvas *c, bool all)
{
	const bool blank = all || t->last.rows != c->rows || t->last.cols != c->cols;
	if (blank) {
		clearok(curscr, TRUE);
		refresh();
	}
	ui_paint(&t->paint, blank ? NULL : &t->last, c, &t->frame);
	send_frame(t);
	if (t->last.rows != c->rows || t->last.cols != c->cols) {
		ui_canvas_release(&t->last);
		ui_canvas_init(&t->last, c->rows, c->cols, c->ascii);
	}
	memcpy(t->last.cell, c->cell,
	       (size_t)c->rows * (size_t)c->cols * sizeof(*c->cell)); /* both >= 1 */
}

static int key_of_character(wint_t c)
{
	if (c == '\n')
		return UI_KEY_ENTER;
	if (c == 0x7f || c == '\b')
		return UI_KEY_BACKSPACE;
	return c < UI_KEY_UP ? (int)c : UI_KEY_NONE; /* a code point */
}

/* The next character of a report; 0 if it does not come at once. */
static char take_character(void)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	int c = getch();
	if (c == ERR && poll(&fd, 1, ESCAPE_MS) > 0)
		c = getch();
	return (char)(c > 0 && c < 0x100 ? c : 0); /* a byte */
}

/* What stands behind "ESC [ <" or "ESC [ M". A report cut short is none. */
static bool take_report(wint_t code, struct ui_mouse *mouse)
{
	char text[21];
	size_t n = 0;
	if (code == KEY_OLD_REPORT) {
		for (; n < 3; n++)
			text[n] = take_character();
		return ui_mouse_read_old((const unsigned char *)text, mouse);
	}
	do
		text[n] = take_character();
	while (text[n] && strchr("0123456789;", text[n]) && ++n < sizeof(text) - 2);
	text[n + 1] = '\0';
	return ui_mouse_read(text, mouse);
}

/* Takes what curses has. False if there is nothing, or nothing that we know. */
static bool take_input(enum ui_event *event, int *key, struct ui_mouse *mouse)
{
	wint_t c = 0;
	const int kind = get_wch(&c);
	if (kind == ERR)
		return false;
	if (kind == KEY_CODE_YES && c == KEY_RESIZE) {
		*event = UI_EVENT_RESIZE;
		return true;
	}
	if (kind == KEY_CODE_YES && (c == KEY_REPORT || c == KEY_OLD_REPORT)) {
		*event = UI_EVENT_MOUSE;
		return take_report(c, mouse);
	}
	*event = UI_EVENT_KEY;
	*key = kind == KEY_CODE_YES ? key_of_curses((int)c)
				    : key_of_character(c); /* KEY_... are small */
	return *key != UI_KEY_NONE;
}

/* What signals asked for while we waited; false if nothing. */
static bool heed_signals(struct ui_term *t, enum ui_event *event)
{
	if (end_signal) {
		*event = UI_EVENT_END;
		return true;
	}
	if (to_stop)
		stop_for_now(t);
	if (!went_on)
		return false;
	went_on = 0;
	set_mouse(t, true);
	*event = UI_EVENT_RESIZE;
	return true;
}

enum ui_event ui_term_wait(struct ui_term *t, int maybe_fd, int wait_ms, int *key,
			   struct ui_mouse *mouse)
{
	const struct timespec limit = { .tv_nsec = wait_ms * 1000000L };
	enum ui_event event = UI_EVENT_KEY;
	struct pollfd fds[2] = { { .fd = STDIN_FILENO, .events = POLLIN },
				 { .fd = maybe_fd, .events = POLLIN } };
	for (;;) {
		if (take_input(&event, key, mouse))
			return event;
		const int n = ppoll(fds, 2, wait_ms > 0 ? &limit : NULL, &t->waiting);
		const int why = errno;
		if (heed_signals(t, &event))
			return event;
		if (n < 0 && why != EINTR)
			return UI_EVENT_END;
		if (n > 0 && (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)))
			return UI_EVENT_END;
		if (n > 0 && fds[1].revents)
			return UI_EVENT_FACTS;
		if (n == 0)
			return UI_EVENT_TIME;
	}
}

bool ui_term_has_key(struct ui_term *t)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	(void)t;
	return poll(&fd, 1, 0) > 0 && (fd.revents & POLLIN);
}
