/*
 * A disk in bytes that nobody vouches for. The first byte chooses the sector size, the next two how many of the bytes lie at
 * the end of the disk of 1 MiB; the others lie at its start. Whatever is there can be listed, drawn and reported, and
 * what may be written is sound, or can be mended.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "afdisk/edit.h"
#include "afdisk/label.h"
#include "afdisk/report.h"
#include "fuzz.h"
#include "memdev.h"

#define DISK AF_MIB

static void report(const struct af_layout *l, const struct af_rules *rules,
		   const struct af_topo *topo)
{
	static const struct af_contents none;
	struct af_disk disk = { .path = "disk",
				.layout = l,
				.topo = topo,
				.rules = rules,
				.contents = &none,
				.types = af_label_types(l->scheme) };
	struct af_text t = { 0 };
	af_report_disks(&t, &disk, 1);
	af_text_release(&t);
}

/* Renders next, which must be sound. */
static void render(struct af_dev *dev, const struct af_layout *l, struct af_layout *next)
{
	struct af_patch patch;
	struct af_err err;
	assert(af_layout_sound(next, &err));
	if (af_label_render(dev, l, next, &patch, &err))
		af_patch_release(&patch);
	af_layout_release(next);
}

/* One change, rendered if the table may be written. */
static void change(struct af_dev *dev, const struct af_layout *l,
		   const struct af_rules *rules)
{
	static const struct af_contents none;
	struct af_edit e = { .rules = rules, .contents = &none };
	struct af_layout next;
	struct af_err err;
	if (af_edit_repair(l, &next, &err) || af_edit_align_all(l, &e, &next, &err))
		render(dev, l, &next);
}

/* The same partitions in a table of the other kind, and without the last one under each choice about a hybrid MBR. */
static void convert(struct af_dev *dev, const struct af_layout *l,
		    const struct af_rules *rules)
{
	static const uint8_t id[16] = { 1, 2, 3, 4 };
	struct af_edit e = { .rules = rules };
	struct af_layout next, less;
	struct af_err err;
	enum af_scheme other = l->scheme == AF_SCHEME_MBR ? AF_SCHEME_GPT : AF_SCHEME_MBR;
	if (af_edit_convert(l, &e, other, id, &next, &err))
		render(dev, l, &next);
	if (l->hybrid == AF_HYBRID_NONE || l->nparts == 0 ||
	    !af_edit_delete(l, l->part[l->nparts - 1].id, &less, &err))
		return;
	for (int choice = AF_HYBRID_NONE; choice <= AF_HYBRID_KEEP; choice++)
		if (choice != AF_HYBRID_OPEN &&
		    af_edit_hybrid(&less, (enum af_hybrid)choice, &next, &err))
			render(dev, l, &next);
	af_layout_release(&less);
}

/* A new label goes over anything, and then the disk is that and nothing else. */
static void relabel(struct memdev *m, const struct af_layout *l, enum af_scheme scheme)
{
	struct af_label_note note;
	struct af_layout now, seen;
	struct af_patch patch;
	struct af_err err;
	bool done = af_layout_init(&now, scheme, DISK, m->dev.sector_size, &err);

	assert(done);
	memset(now.disk_id, 0x5a, scheme == AF_SCHEME_GPT ? 16 : 4);
	if (!af_layout_is_new(l, &now)) {
		af_layout_release(&now);
		return;
	}
	done = af_label_render(&m->dev, l, &now, &patch, &err);
	assert(done);
	memdev_apply(m, &patch);
	done = af_label_read(&m->dev, &seen, &note, &err);
	assert(done && af_layout_equal(&seen, &now) && !note.read_only && !note.holds[0]);
	af_patch_release(&patch);
	af_layout_release(&seen);
	af_layout_release(&now);
}

static void look(struct memdev *m)
{
	struct af_label_note note;
	struct af_layout l;
	struct af_err err;
	struct af_topo topo = { .size = DISK,
				.sector_size = m->dev.sector_size,
				.physical = 4096 };
	struct af_rules rules = af_align_rules(&topo, false);
	if (!af_label_read(&m->dev, &l, &note, &err))
		return;
	assert(note.read_only || l.scheme == AF_SCHEME_NONE ||
	       af_layout_mendable(&l, &err));
	report(&l, &rules, &topo);
	if (!note.read_only) {
		change(&m->dev, &l, &rules);
		convert(&m->dev, &l, &rules);
	}
	relabel(m, &l, note.read_only ? AF_SCHEME_GPT : AF_SCHEME_MBR);
	af_layout_release(&l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct memdev m;
	if (n < 3)
		return 0;
	uint32_t sector_size = 512U << (data[0] % 4);
	size_t tail = data[1] + 256U * data[2];
	data += 3;
	n -= 3;
	if (n > (size_t)DISK)
		return 0;
	if (tail > n)
		tail = n;
	memdev_open(&m, DISK, sector_size);
	memdev_poke(&m, 0, data, n - tail);
	memdev_poke(&m, DISK - (af_bytes)tail, data + n - tail, tail);
	look(&m);
	memdev_close(&m);
	return 0;
}
