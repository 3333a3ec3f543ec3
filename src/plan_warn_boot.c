/*
 * plan_warn_boot.c - what does not start any more: firmware that finds no EFI System Partition that it can read, GRUB
 * whose sectors something else takes, boot code that goes by the active partition, and boot sectors that know where
 * they lie. Source: UEFI specification, GRUB's manual ("BIOS installation"), Microsoft on UEFI/GPT disks.
 */
#include <inttypes.h>
#include <string.h>

#include "plan_warn.h"

#define FAT32_LEAST    (33 * AF_MIB)  /* 65525 clusters of 512 bytes, and the FATs */
#define FAT32_LEAST_4K (260 * AF_MIB) /* the same of 4096 bytes, as Microsoft rounds it */

/*
 * ---------------------------------------------------------------------------------------------
 * UEFI
 */
static size_t count_purpose(const struct af_layout *l, enum af_purpose purpose)
{
	size_t n = 0;
	for (size_t i = 0; i < l->nparts; i++)
		n += af_scheme_purpose(l->scheme, l->part[i].type) == purpose;
	return n;
}

static void warn_esp_place(const struct warning *w)
{
	const struct af_part *a = &w->change->before, *b = &w->change->after;
	bool was = af_plan_warn_was(w) == AF_PURPOSE_ESP && a->role == AF_ROLE_LOGICAL;
	if (b->role == AF_ROLE_LOGICAL && !was)
		af_plan_warn_part(w, b->number,
				  "is a logical partition: UEFI firmware looks for an EFI "
				  "system partition among the primary ones only");
}

static void warn_esp_size(const struct warning *w)
{
	const struct af_part *a = &w->change->before, *b = &w->change->after;
	const struct af_content *c = af_plan_warn_inside(w);
	const bool large = w->now->sector_size == 4096;
	const af_bytes least = large ? FAT32_LEAST_4K : FAT32_LEAST;
	bool was = af_plan_warn_was(w) == AF_PURPOSE_ESP && af_span_size(a->span) < least;
	bool formatted = c && strcmp(c->fs, "vfat") == 0 && !large;
	if (!formatted && af_span_size(b->span) < least && !was)
		af_plan_warn_part(w, b->number,
				  "is too small for FAT32, which firmware reads an EFI "
				  "System Partition in: %s at least",
				  large ? "with sectors of 4096 bytes it takes 260 MiB"
					: "it takes 33 MiB");
}

static void warn_esp_content(const struct warning *w)
{
	const struct af_content *c = af_plan_warn_inside(w);
	if (c && c->state == AF_CONTENT_FOUND && af_plan_warn_was(w) != AF_PURPOSE_ESP &&
	    strcmp(c->fs, "vfat") != 0)
		af_plan_warn_part(w, w->change->after.number,
				  "is an EFI System Partition then, and holds %s: firmware "
				  "reads FAT only ('mkfs.fat -F 32')",
				  c->fs);
}

static void warn_esp(const struct warning *w)
{
	if (w->change->after.role == AF_ROLE_LOGICAL) {
		warn_esp_place(w); /* whatever else it is like */
		return;
	}
	warn_esp_size(w);
	warn_esp_content(w);
}

/* The first ESP of the disk speaks for all of them. */
static void warn_esp_gone(const struct warning *w)
{
	size_t first = 0;
	if (w->fresh || af_plan_warn_was(w) != AF_PURPOSE_ESP || w->now->nparts == 0 ||
	    count_purpose(w->now, AF_PURPOSE_ESP) > 0)
		return;
	while (af_scheme_purpose(w->base->scheme, w->base->part[first].type) !=
	       AF_PURPOSE_ESP)
		first++;
	if (w->base->part[first].id == w->change->before.id)
		af_plan_warn_part(w, w->change->before.number,
				  "was the last EFI System Partition: what starts by UEFI "
				  "from this disk needs one");
}

/*
 * ---------------------------------------------------------------------------------------------
 * GRUB for BIOS
 */
static const struct af_span *core_of(const struct warning *w)
{
	const struct af_boot_code *code = w->words->maybe_code;
	return code && af_span_size(code->core) > 0 && !w->fresh ? &code->core : NULL;
}

/* True if p, or the EBR before it, takes a byte of it. */
static bool takes(const struct af_layout *l, const struct af_part *p, struct af_span core)
{
	if (p->role == AF_ROLE_EXTENDED)
		return false;
	return af_span_overlap(p->span, core) ||
	       (p->role == AF_ROLE_LOGICAL && af_span_overlap(af_layout_ebr(l, p), core));
}

static bool is_in_a_partition(const struct af_layout *l, struct af_span core)
{
	for (size_t i = 0; i < l->nparts; i++)
		if (l->part[i].role != AF_ROLE_EXTENDED &&
		    af_span_has(l->part[i].span, core.start))
			return true;
	return false;
}

static int64_t sector(const struct warning *w, af_bytes at)
{
	return af_sectors(at, w->now->sector_size);
}

/* It lies in the partition that changes, a BIOS boot partition mostly. */
static void warn_core_inside(const struct warning *w, struct af_span core)
{
	const struct af_part *a = &w->change->before, *b = &w->change->after;
	bool keeps = af_plan_warn_stays(w) && af_span_inside(core, b->span) &&
		     a->span.start == b->span.start &&
		     (af_plan_warn_was(w) != AF_PURPOSE_BIOS_BOOT ||
		      af_plan_warn_is(w) == AF_PURPOSE_BIOS_BOOT);
	if (!keeps)
		af_plan_warn_part(w, a->number,
				  "holds what GRUB starts from (sectors %" PRId64
				  " to %" PRId64
				  "): run grub-install afterwards, or the disk does not "
				  "start by BIOS",
				  sector(w, core.start), sector(w, core.end) - 1);
}

static void warn_core(const struct warning *w)
{
	const struct af_span *core = core_of(w);
	const struct af_part *a = &w->change->before, *b = &w->change->after;
	if (!core)
		return;
	bool was = w->change->kind != AF_CHANGE_ADDED && takes(w->base, a, *core);
	bool is = w->change->kind != AF_CHANGE_REMOVED && takes(w->now, b, *core);
	if (was && is_in_a_partition(w->base, *core))
		warn_core_inside(w, *core);
	else if (is && !was)
		af_plan_warn_part(w, b->number,
				  "lies over sectors %" PRId64 " to %" PRId64
				  ", which GRUB starts from: begin it at 1 MiB or later, "
				  "or run grub-install afterwards",
				  sector(w, core->start), sector(w, core->end) - 1);
}

static void warn_no_bios_boot(const struct warning *w)
{
	const struct af_span *core = core_of(w);
	struct af_text t = { 0 };
	if (!core || w->now->scheme != AF_SCHEME_GPT || w->base->scheme != AF_SCHEME_MBR ||
	    count_purpose(w->now, AF_PURPOSE_BIOS_BOOT) > 0)
		return;
	af_text_add(&t, "this disk starts with GRUB for BIOS, which needs a partition for "
			"itself on a GPT: 'new size=1M type=\"BIOS boot\"', then "
			"grub-install");
	af_plan_add(w->plan, "warning", 0, &t);
}

/*
 * ---------------------------------------------------------------------------------------------
 * The active partition
 */
static const struct af_part *next_active(const struct af_layout *l,
					 const struct af_part *maybe_last)
{
	size_t i = maybe_last ? (size_t)(maybe_last - l->part) + 1 : 0;
	for (; l->scheme == AF_SCHEME_MBR && i < l->nparts; i++)
		if (l->part[i].boot && l->part[i].role != AF_ROLE_LOGICAL)
			return &l->part[i];
	return NULL;
}

/* The boot code of Windows starts the active partition; GRUB in the MBR starts what it was told. */
static void warn_windows_starts(const struct warning *w, const struct af_part *active)
{
	const struct af_part *was = next_active(w->base, NULL);
	const struct af_boot_code *code = w->words->maybe_code;
	char name[128];
	if (!was || w->fresh || w->now->scheme != AF_SCHEME_MBR ||
	    (code && code->is_grub) || !af_plan_warn_of_windows(w, w->base, was))
		return;
	const struct af_part *p = af_layout_find(w->now, was->id);
	if (!p || p->boot)
		return;
	if (!active)
		af_plan_warn_part(
			w, p->number,
			"is no longer active, and nothing else is: Windows starts "
			"from the active partition ('boot %u on')",
			(unsigned)p->number);
	else if (!af_plan_warn_of_windows(w, w->now, active))
		af_plan_warn_part(w, active->number,
				  "is active instead of %s: the boot code of Windows "
				  "starts the active partition, so a boot loader has to be "
				  "in this one",
				  af_text_part_name(w->words->dev_name, p->number, name,
						    sizeof(name)));
}

static void warn_active(const struct warning *w)
{
	const struct af_part *first = next_active(w->now, NULL), *was;
	const struct af_part *second = first ? next_active(w->now, first) : NULL;
	if (second) {
		char name[128];
		af_plan_warn_part(
			w, second->number,
			"is active, and so is %s: a BIOS starts only one of them, "
			"or none ('boot %u off')",
			af_text_part_name(w->words->dev_name, first->number, name,
					  sizeof(name)),
			(unsigned)second->number);
	}
	was = first ? af_layout_find(w->base, first->id) : NULL;
	if (first && w->now->sector_size == 4096 && (!was || !was->boot))
		af_plan_warn_part(w, first->number,
				  "is active, but no BIOS starts from a disk with sectors "
				  "of 4096 bytes: only UEFI does, from an EFI System "
				  "Partition");
	warn_windows_starts(w, first);
}

/*
 * ---------------------------------------------------------------------------------------------
 * Boot sectors that know where they lie
 */

/* FAT, NTFS and their hidden kinds: their boot sectors hold the sector that they begin at. */
static bool knows_its_place(uint8_t type)
{
	switch (type & ~0x10) {
	case 0x01:
	case 0x04:
	case 0x06:
	case 0x07:
	case 0x0b:
	case 0x0c:
	case 0x0e:
		return true;
	default:
		return false;
	}
}

/* By what is inside, where that is known, else by the type. */
static bool gets_lost(const struct warning *w)
{
	const struct af_content *c = af_plan_warn_inside(w);
	const struct af_part *a = &w->change->before, *b = &w->change->after;
	if (c && c->state == AF_CONTENT_NONE)
		return b->boot; /* there may be boot code that nobody knows */
	if (c && c->has_home)
		return c->home == a->span.start;
	return b->boot || (!c && knows_its_place(b->type[0]));
}

static void warn_home(const struct warning *w)
{
	const struct af_part *a = &w->change->before, *b = &w->change->after;
	if (af_plan_warn_stays(w) && a->span.start != b->span.start &&
	    b->role != AF_ROLE_EXTENDED && w->now->scheme == AF_SCHEME_MBR && gets_lost(w))
		af_plan_warn_part(w, b->number,
				  "begins at another sector then: the hidden-sectors field "
				  "of its boot sector and the boot loader have to be put "
				  "right, or it does not boot");
}

void af_plan_warn_boot(const struct warning *w)
{
	warn_esp_gone(w);
	warn_core(w);
	if (w->change->kind == AF_CHANGE_REMOVED)
		return;
	if (af_plan_warn_is(w) == AF_PURPOSE_ESP)
		warn_esp(w);
	warn_home(w);
}

void af_plan_warn_boot_table(const struct warning *w)
{
	warn_active(w);
	warn_no_bios_boot(w);
}
