/*
 * stack_ntfs.c - NTFS (ntfs-3g, layout.h). Cluster 0 is the start of the partition, so its data lies as well as the
 * partition does. The boot sector counts one sector less than the file system takes: its copy comes behind them.
 */
#include "chain_bytes.h"
#include "stack_fs.h"

enum {
	BOOT = 512,
	BYTES_AT = 11,
	PER_CLUSTER_AT = 13,
	SECTORS_AT = 40,
	FILES_AT = 48,
	LARGEST = 21
};

/* Above 128 the byte is an exponent, counted down from 256. 0: it makes no sense. */
static uint32_t sectors_per_cluster(unsigned byte)
{
	if (byte <= 128)
		return af_stack_is_power(byte, 1, 128) ? byte : 0;
	return 256 - byte <= 12 ? 1U << (256 - byte) : 0;
}

bool af_stack_ntfs(const struct stack_window *w, struct stack_found *out)
{
	unsigned char boot[BOOT];
	char file[4]; /* the mark of the first record of the master file table */
	if (!stack_read(w, 0, boot, sizeof(boot)) || memcmp(boot + 3, "NTFS    ", 8) != 0)
		return false;
	uint32_t bytes = af_get_le16(boot + BYTES_AT);
	af_bytes cluster = (af_bytes)bytes * sectors_per_cluster(boot[PER_CLUSTER_AT]);
	uint64_t sectors = af_get_le64(boot + SECTORS_AT),
		 files = af_get_le64(boot + FILES_AT);
	af_bytes at;
	if (!af_stack_is_power(bytes, 256, 4096) || cluster < 256 ||
	    cluster > (af_bytes)1 << LARGEST || sectors == 0 || sectors >= INT64_MAX)
		return false;
	if (files > INT64_MAX || !af_mul((af_bytes)files, cluster, &at) ||
	    !stack_read(w, at, file, sizeof(file)) || memcmp(file, "FILE", 4) != 0)
		return false;
	af_stack_size(out, sectors + 1, bytes);
	return af_stack_add_inside(w, out, "NTFS", 0, cluster);
}
