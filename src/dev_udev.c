/*
 * dev_udev.c - waiting, with an end to it, and for udev most of all. When a program that wrote to a disk closes it, udev looks at
 * the disk anew. If nobody holds the disk's lock then, it has the kernel read the whole table again: for a moment all
 * partitions are gone, long after the program has ended. So the lock is kept until udev has noticed: then it only
 * looks into what is there. That it has shows in the event that it makes.
 */
#include "dev_priv.h"

#include <dirent.h>
#include <linux/netlink.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define WATCHES   "/run/udev/watch" /* a link for each device watched */
#define QUEUE     "/run/udev/queue" /* there as long as udev has something to do */
#define NOTICE_MS 10000
#define SETTLE_MS 10000
#define PAUSE_MS  10

struct timespec af_dev_in(long ms)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += ms / 1000;
	t.tv_nsec += ms % 1000 * 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

/** Milliseconds from now to a moment; 0 if it has passed. */
static int left_ms(struct timespec until)
{
	struct timespec t;
	long ms;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	ms = (until.tv_sec - t.tv_sec) * 1000 + (until.tv_nsec - t.tv_nsec) / 1000000;
	return ms > 0 ? (int)ms : 0; /* seconds: small */
}

bool af_dev_wait(struct timespec until)
{
	struct timespec pause = { 0, PAUSE_MS * 1000000L };

	if (left_ms(until) == 0)
		return false;
	(void)nanosleep(&pause, NULL);
	return true;
}

/** Links go from a number to the device, and in newer ones from the device to the number, too. */
static bool is_watched(dev_t device)
{
	char id[40], target[40], path[300];
	struct dirent **entry = NULL;
	bool found = false;
	int n = scandir(WATCHES, &entry, af_dev_entry, alphasort);

	(void)snprintf(id, sizeof(id), "b%u:%u", major(device), minor(device));
	for (int i = 0; i < n; i++) {
		ssize_t len;

		(void)snprintf(path, sizeof(path), WATCHES "/%s", entry[i]->d_name);
		len = readlink(path, target, sizeof(target) - 1);
		target[len > 0 ? len : 0] = '\0';
		found = found || strcmp(entry[i]->d_name, id) == 0 ||
			strcmp(target, id) == 0;
		free(entry[i]);
	}
	free(entry);
	return found;
}

int af_dev_udev_listen(dev_t device)
{
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int fd;

	if (!is_watched(device))
		return -1;
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
		    NETLINK_KOBJECT_UEVENT);
	if (fd >= 0 && bind(fd, (const struct sockaddr *)&kernel, sizeof(kernel)) != 0) {
		(void)close(fd);
		fd = -1;
	}
	return fd;
}

/** The number that stands behind "NAME=" in an event, a row of strings with NULs between; -1 if none does. */
static long value_in(const char *event, size_t n, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < n; i += strlen(event + i) + 1)
		if (strncmp(event + i, name, len) == 0 && event[i + len] == '=')
			return strtol(event + i + len + 1, NULL, 10);
	return -1;
}

/** True for the event that udev makes for a disk: the first of a row for it and its partitions. */
static bool is_change_of(const char *event, size_t n, dev_t device)
{
	return strncmp(event, "change@", 7) == 0 &&
	       value_in(event, n, "MAJOR") == (long)major(device) &&
	       value_in(event, n, "MINOR") == (long)minor(device);
}

void af_dev_udev_notice(int listener, dev_t device)
{
	struct timespec end = af_dev_in(NOTICE_MS);
	struct pollfd p = { .fd = listener, .events = POLLIN };
	bool noticed = listener < 0;
	char event[8192];

	while (!noticed && left_ms(end) > 0) {
		ssize_t n;

		if (poll(&p, 1, left_ms(end)) <= 0)
			continue;
		n = recv(listener, event, sizeof(event) - 1, 0);
		if (n <= 0)
			continue;
		event[n] = '\0';
		noticed = is_change_of(event, (size_t)n, device);
	}
	if (listener < 0)
		return;
	(void)close(listener);
	while (access(QUEUE, F_OK) != 0 && af_dev_wait(end))
		; /* its own event has still to reach it */
}

void af_dev_udev_settle(void)
{
	struct timespec end = af_dev_in(SETTLE_MS);

	while (access(QUEUE, F_OK) == 0 && af_dev_wait(end))
		;
}
