/*
 * disks_look.c - what a disk is, in words for a list: first what the kernel knows without reading it, who uses it among that, then
 * its table and how the partitions are aligned. Called in a process of its own, where it may take as long as it takes.
 */
#include "afdisk/disks.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "afdisk/align.h"
#include "afdisk/holders.h"
#include "afdisk/topo.h"

/** Where the running system keeps what it cannot do without, and where live systems mount the medium that they came from. */
static bool is_of_system(const char *mount)
{
	static const char *const place[] = { "/",
					     "/boot",
					     "/boot/efi",
					     "/efi",
					     "/usr",
					     "/sysroot",
					     "/run/live/medium",
					     "/run/initramfs/live",
					     "/run/archiso/bootmnt",
					     "/cdrom" };

	for (size_t i = 0; i < sizeof(place) / sizeof(place[0]); i++)
		if (strcmp(mount, place[i]) == 0)
			return true;
	return false;
}

/** The word for one use in a narrow column. */
static const char *short_use(const struct af_use *use)
{
	switch (use->kind) {
	case AF_USE_SWAP:
		return "swap";
	case AF_USE_PROGRAM:
		return "a program";
	case AF_USE_MOUNT:
	case AF_USE_LAYER:
	case AF_USE_LOOP:
		break;
	}
	return use->what;
}

/** Appends word behind a separator; what does not fit as a whole gives way to "...". */
static void join(char *buf, size_t size, const char *separator, const char *word)
{
	const size_t used = strlen(buf);

	if (used + strlen(separator) + strlen(word) + sizeof(" ...") <= size)
		(void)snprintf(buf + used, size - used, "%s%s", used ? separator : "",
			       word);
	else if (used >= 3 && strcmp(buf + used - 3, "...") != 0)
		(void)snprintf(buf + used, size - used, "%s", " ...");
}

/** True if a use before this one is of the same partition: its words are told there. */
static bool is_told(const struct af_uses *uses, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (uses->item[i].number == uses->item[at].number)
			return true;
	return false;
}

void af_disk_take_uses(struct af_disk_facts *f, const struct af_uses *uses)
{
	f->used[0] = f->uses[0] = '\0';
	f->is_system = false;
	for (size_t i = 0; i < uses->n; i++) {
		const struct af_use *use = &uses->item[i];
		char words[300], name[128], line[460];

		f->is_system = f->is_system || use->kind == AF_USE_SWAP ||
			       (use->kind == AF_USE_MOUNT && is_of_system(use->what));
		join(f->used, sizeof(f->used), " ", short_use(use));
		if (is_told(uses, i))
			continue;
		(void)af_uses_words(uses, use->number, use->span.start, words,
				    sizeof(words));
		if (use->number > 0)
			(void)af_text_part_name(f->path, use->number, name, sizeof(name));
		(void)snprintf(line, sizeof(line), "%s %s",
			       use->number > 0 ? name : "the whole disk,", words);
		join(f->uses, sizeof(f->uses), "; ", line);
	}
}

static void take_topo(struct af_disk_facts *f, const struct af_topo *t)
{
	f->size = t->size;
	f->removable = f->removable || t->removable;
	f->read_only = t->read_only;
	af_text_clean(t->model, f->model, sizeof(f->model));
	af_text_clean(t->serial, f->serial, sizeof(f->serial));
	af_text_clean(t->transport, f->transport, sizeof(f->transport));
}

/** The first line of folder/file; "" if there is none. */
static void read_line(const char *folder, const char *file, char *buf, int size)
{
	char path[PATH_MAX];
	FILE *f = NULL;

	buf[0] = '\0';
	if (snprintf(path, sizeof(path), "%s/%s", folder, file) < (int)sizeof(path))
		f = fopen(path, "re");
	if (f && !fgets(buf, size, f))
		buf[0] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	if (f)
		(void)fclose(f);
}

/** What has no maker is called by what it is made of: "LVM vg0-root", "RAID md0", or the file that a loop device shows. */
static void name_layer(struct af_disk_facts *f, const char *folder)
{
	const char *slash = strrchr(f->path, '/'), *name = slash ? slash + 1 : f->path;
	char what[PATH_MAX];

	read_line(folder, "loop/backing_file", what, sizeof(what));
	if (what[0] == '\0')
		af_holders_name(folder, name, what, sizeof(what));
	if (strcmp(what, name) != 0)
		af_text_clean(what, f->model, sizeof(f->model));
}

void af_disk_glance(struct af_disk_facts *f)
{
	struct af_holders_place place = { .sys = "/sys", .proc = "/proc" };
	struct af_topo topo = { 0 };
	struct af_uses uses;
	struct stat st;
	char folder[64];

	if (stat(f->path, &st) != 0 || !S_ISBLK(st.st_mode))
		return;
	(void)snprintf(folder, sizeof(folder), "/sys/dev/block/%u:%u", major(st.st_rdev),
		       minor(st.st_rdev));
	af_topo_sysfs(folder, &topo);
	take_topo(f, &topo);
	if (f->model[0] == '\0')
		name_layer(f, folder);
	place.device = st.st_rdev;
	place.size = topo.size;
	af_holders_scan(&place, &uses);
	af_disk_take_uses(f, &uses);
	af_uses_release(&uses);
}

/** Counts what is judged: everything but containers. */
static void count(struct af_disk_facts *f, const struct af_disk *disk)
{
	f->judged = f->failing = f->tails = 0;
	for (size_t i = 0; i < disk->layout->nparts; i++) {
		const enum af_status status =
			af_align_judge(disk->rules, disk->contents, &disk->layout->part[i])
				.status;

		f->judged += status != AF_STATUS_CONTAINER;
		f->failing += af_status_fails(status, false);
		f->tails += status == AF_STATUS_TAIL;
	}
}

/** The reason; where opening it failed in the kernel, in the kernel's words alone: the path stands beside them. */
static void say_closed(struct af_disk_facts *f, const struct af_err *err)
{
	const bool opens = strncmp(err->text, "cannot open", strlen("cannot open")) == 0;

	f->state = AF_DISK_CLOSED;
	f->no_rights = geteuid() != 0 && (err->sys == EACCES || err->sys == EPERM);
	af_text_clean(err->sys != 0 && opens ? strerror(err->sys) : err->text, f->why,
		      sizeof(f->why));
	if (err->sys != 0 && opens)
		f->why[0] =
			(char)tolower((unsigned char)f->why[0]); /* a sentence goes on */
}

struct af_session_options af_disks_options(const struct af_session_options *o,
					   const char *path)
{
	struct af_session_options own = *o;
	struct stat st;

	if (stat(path, &st) == 0 && S_ISBLK(st.st_mode))
		own.overrides.has_sector_size = false;
	return own;
}

void af_disk_look(struct af_disk_facts *f, const struct af_session_options *o, bool deep)
{
	struct af_session_options own = af_disks_options(o, f->path);
	struct af_err err = { 0 };
	struct af_session *s;

	own.look_only = true;
	own.zero = false;
	s = af_session_open(f->path, &own, &err);
	if (!s) {
		say_closed(f, &err);
		return;
	}
	if (deep)
		af_session_probe(s, 0);
	const struct af_disk disk = af_session_disk(s);
	const char *locked = af_session_locked(s);
	char model[sizeof(f->model)];

	memcpy(model, f->model, sizeof(model));
	f->state = AF_DISK_KNOWN;
	f->why[0] = '\0';
	f->no_rights = false;
	f->is_file = disk.topo->is_file;
	take_topo(f, disk.topo);
	if (f->model[0] == '\0')
		memcpy(f->model, model, sizeof(model));
	af_disk_take_uses(f, disk.uses);
	af_text_clean(af_report_label(&disk), f->label, sizeof(f->label));
	af_text_clean(disk.holds ? disk.holds : "", f->holds, sizeof(f->holds));
	af_text_clean(locked ? locked : af_layout_state(disk.layout), f->remark,
		      sizeof(f->remark));
	count(f, &disk);
	af_session_close(s);
}

const char *af_disk_alignment(const struct af_disk_facts *f, char *buf, size_t size)
{
	if (f->state == AF_DISK_READING)
		(void)snprintf(buf, size, "reading");
	else if (f->state == AF_DISK_CLOSED)
		(void)snprintf(buf, size, "%s%s",
			       strncmp(f->why, "cannot ", 7) == 0 ? "" : "cannot be read: ",
			       f->why);
	else if (strcmp(f->label, "none") == 0)
		(void)snprintf(buf, size, "no table");
	else if (f->judged == 0)
		(void)snprintf(buf, size, "no partitions");
	else if (f->failing > 0)
		(void)snprintf(buf, size, "%u of %u misaligned", f->failing, f->judged);
	else if (f->tails > 0)
		(void)snprintf(buf, size, "%u of %u tail", f->tails, f->judged);
	else
		(void)snprintf(buf, size, "all aligned");
	return buf;
}
