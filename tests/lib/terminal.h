/** terminal.h - a full-screen program in a pseudo terminal, timed from outside. */
#ifndef TESTS_TERMINAL_H
#define TESTS_TERMINAL_H
#include <stdint.h>
#include <sys/types.h>

/** A running program and its terminal. */
struct terminal {
	pid_t pid;
	int fd;
	int64_t started; /* ns */
	uint64_t requests_at_start;
	const char *
		maybe_stat; /* a block device's /sys/block/X/stat, to count read requests; or NULL */
};

/** What one answer of the program was. */
struct answer {
	int64_t ns; /* from the cause to the last byte before it fell silent */
	uint64_t bytes;
	uint64_t requests; /* read requests of the device from the cause to that byte */
};

/** Starts argv in a terminal of 80x24. Ends the program on failure. */
void terminal_start(struct terminal *p, char *const *argv, const char *maybe_stat);

/** Reads until marker has come (the last thing of a frame), from start on; ends the program if it does not in 3 s. What was read then is not lost for
 *  terminal_settle(). */
struct answer terminal_first(struct terminal *p, const char *marker);

/** Reads on until the program has been silent for quiet_ms. */
void terminal_settle(struct terminal *p, int quiet_ms);

/** Sends text and reads the answer in the same way. */
struct answer terminal_send(struct terminal *p, const char *text, int quiet_ms);

/** Peak resident memory so far, in KiB. */
uint64_t terminal_peak_kib(const struct terminal *p);

/** Reads on until the program has left by itself, 10 s at the most; its exit status, or -1 if it did not leave, and is ended. */
int terminal_leave(struct terminal *p);

/** Ends it. */
void terminal_stop(struct terminal *p);

/** CLOCK_MONOTONIC in ns. */
int64_t terminal_now(void);
#endif
