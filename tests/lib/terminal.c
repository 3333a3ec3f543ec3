/*
 * terminal.c - runs a program in a pseudo terminal and takes the time of its answers: the last byte before it falls silent counts,
 * the silence itself does not.
 */
#include "terminal.h"
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int64_t terminal_now(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static uint64_t read_requests(const char *maybe_stat)
{
	char line[256];
	if (!maybe_stat)
		return 0;
	FILE *f = fopen(maybe_stat, "re");
	bool ok = f && fgets(line, sizeof(line), f);
	if (f)
		(void)fclose(f);
	return ok ? strtoull(line, NULL, 10) : 0;
}

void terminal_start(struct terminal *p, char *const *argv, const char *maybe_stat)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	p->maybe_stat = maybe_stat;
	p->requests_at_start = read_requests(maybe_stat);
	p->started = terminal_now();
	p->pid = forkpty(&p->fd, NULL, NULL, &size);
	if (p->pid < 0) {
		perror("forkpty");
		exit(2);
	}
	if (p->pid == 0) {
		(void)setenv("TERM", "xterm-256color", 1);
		(void)setenv("LC_ALL", "C.UTF-8", 1);
		execv(argv[0], argv);
		_exit(127);
	}
}

static struct answer collect(struct terminal *p, int64_t since, uint64_t requests,
			     int quiet_ms, int patience)
{
	struct answer a = { .ns = 0 };
	struct pollfd poller = { .fd = p->fd, .events = POLLIN };
	char buf[65536];
	while (poll(&poller, 1, patience) > 0) {
		ssize_t n = read(p->fd, buf, sizeof(buf));
		if (n <= 0)
			break;
		a.ns = terminal_now() - since;
		a.requests = read_requests(p->maybe_stat) - requests;
		a.bytes += (uint64_t)n;
		patience = quiet_ms;
	}
	return a;
}

struct answer terminal_first(struct terminal *p, const char *marker)
{
	struct answer a = { .ns = 0 };
	struct pollfd poller = { .fd = p->fd, .events = POLLIN };
	static char frame[1 << 18];
	while (a.bytes < sizeof(frame) - 1 && poll(&poller, 1, 3000) > 0) {
		ssize_t n = read(p->fd, frame + a.bytes, sizeof(frame) - 1 - a.bytes);
		if (n <= 0)
			break;
		a.bytes += (uint64_t)n;
		if (!memmem(frame, a.bytes, marker, strlen(marker)))
			continue;
		a.ns = terminal_now() - p->started;
		a.requests = read_requests(p->maybe_stat) - p->requests_at_start;
		return a;
	}
	(void)fprintf(stderr, "the frame never ended with \"%s\"\n", marker);
	exit(2);
}

void terminal_settle(struct terminal *p, int quiet_ms)
{
	(void)collect(p, 0, 0, quiet_ms, quiet_ms);
}

struct answer terminal_send(struct terminal *p, const char *text, int quiet_ms)
{
	uint64_t requests = read_requests(p->maybe_stat);
	int64_t since = terminal_now();
	if (write(p->fd, text, strlen(text)) < 0)
		return (struct answer){ .ns = 0 };
	return collect(p, since, requests, quiet_ms, 3000);
}

uint64_t terminal_peak_kib(const struct terminal *p)
{
	char path[64], line[256];
	uint64_t kib = 0;
	(void)snprintf(path, sizeof(path), "/proc/%d/status", (int)p->pid);
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, "VmHWM:", 6) == 0)
			kib = strtoull(line + 6, NULL, 10);
	if (f)
		(void)fclose(f);
	return kib;
}

void terminal_stop(struct terminal *p)
{
	(void)kill(p->pid, SIGKILL);
	(void)close(p->fd);
	(void)waitpid(p->pid, NULL, 0);
}

int terminal_leave(struct terminal *p)
{
	struct pollfd poller = { .fd = p->fd, .events = POLLIN };
	const int64_t end = terminal_now() + 10 * (int64_t)1000000000;
	char buf[65536];
	int status = 0;
	while (terminal_now() < end && poll(&poller, 1, 1000) >= 0)
		if ((poller.revents & POLLIN) == 0 || read(p->fd, buf, sizeof(buf)) <= 0)
			if (waitpid(p->pid, &status, poller.revents ? 0 : WNOHANG) ==
			    p->pid) {
				(void)close(p->fd);
				return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
			}
	terminal_stop(p);
	return -1;
}
