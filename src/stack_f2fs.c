/*
 * stack_f2fs.c - F2FS (Linux, f2fs_fs.h: f2fs_super_block). Its main area follows the tables, at a block that mkfs
 * chooses so that segments of 2 MiB lie well on the disk, but in whole blocks only. It may go on on other devices.
 */
#include "chain_bytes.h"
#include "stack_fs.h"

enum {
	SUPER_AT = 1024,
	SUPER = 512,
	LOG_BLOCK_AT = 16,
	LOG_SEGMENT_AT = 20, /* blocks per segment */
	BLOCKS_AT = 36,
	SUMMARY_SEGMENTS_AT = 64,
	MAIN_SEGMENTS_AT = 68,
	SEGMENT0_AT = 72,
	SUMMARY_AT = 88,
	MAIN_AT = 92,
	LOG_LEAST = 12,
	LOG_LARGEST = 16, /* as large as pages are */
	LOG_SEGMENT = 9,
	DEVICES_AT = 2201, /* each a path of 64 bytes and its segments */
	DEVICE = 68,
	DEVICE_SEGMENTS_AT = 64,
};

static const uint32_t magic = 0xf2f52010;

/* The main area begins behind the summaries, and ends before the file system does. */
static bool adds_up(const unsigned char *super)
{
	const uint64_t main_area = af_get_le32(super + MAIN_AT),
		       summary = af_get_le32(super + SUMMARY_AT),
		       summaries = af_get_le32(super + SUMMARY_SEGMENTS_AT),
		       segments = af_get_le32(super + MAIN_SEGMENTS_AT);
	return af_get_le32(super + LOG_SEGMENT_AT) == LOG_SEGMENT && summary > 0 &&
	       main_area == summary + (summaries << LOG_SEGMENT) &&
	       main_area + (segments << LOG_SEGMENT) <= af_get_le64(super + BLOCKS_AT);
}

/* Blocks on this device: all of them, unless it is the first of a list. 0: not known. */
static uint64_t blocks_here(const struct stack_window *w, const unsigned char *super)
{
	unsigned char device[DEVICE];
	if (!stack_read(w, SUPER_AT + DEVICES_AT, device, sizeof(device)))
		return 0;
	if (device[0] == 0)
		return af_get_le64(super + BLOCKS_AT);
	return ((uint64_t)af_get_le32(device + DEVICE_SEGMENTS_AT) << LOG_SEGMENT) +
	       af_get_le32(super + SEGMENT0_AT);
}

bool af_stack_f2fs(const struct stack_window *w, struct stack_found *out)
{
	unsigned char super[SUPER];
	if (!stack_read(w, SUPER_AT, super, sizeof(super)) || af_get_le32(super) != magic)
		return false;
	uint32_t log = af_get_le32(super + LOG_BLOCK_AT);
	uint32_t main_area = af_get_le32(super + MAIN_AT);
	if (log < LOG_LEAST || log > LOG_LARGEST || !adds_up(super))
		return false;
	af_stack_size(out, blocks_here(w, super), (af_bytes)1 << log);
	return af_stack_add_inside(w, out, "F2FS main area", (af_bytes)main_area << log,
				   (af_bytes)1 << log);
}
