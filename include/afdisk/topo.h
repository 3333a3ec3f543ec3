/** topo.h - what the kernel says about a device's sectors, and what the user says instead. */
#ifndef AFDISK_TOPO_H
#define AFDISK_TOPO_H
#include "afdisk/dev.h"
#include "afdisk/facts.h"

/** Overrides of the command line, in bytes; a flag that is false leaves the device's word. */
struct af_overrides {
	bool has_sector_size, has_physical, has_alignment_offset, has_grain;
	af_bytes sector_size, physical, alignment_offset, grain;
};

/**
 * Fills *out for an open device and sets its size, sector_size, model and serial. For an image, everything is assumed: 512, 4096, offset 0.
 * Fails with AF_E_USAGE if an override makes no sense (a sector size for a real device, one that is not 512, 1024,
 * 2048 or 4096; a physical size or grain that is no multiple of the sector size; an offset not below the physical size
 * or off the sector lines).
 */
bool af_topo_read(struct af_dev *dev, const struct af_overrides *o, struct af_topo *out,
		  struct af_err *err) __attribute__((warn_unused_result));

/** The same from the files of a folder such as /sys/block/sda: what af_topo_read() uses, open to tests. Missing
 *  files leave what is in *out. A model that is known to have larger physical sectors than it says is judged by those. */
void af_topo_sysfs(const char *folder, struct af_topo *out);
#endif
