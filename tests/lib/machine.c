#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GB 1000000000LL

static const struct af_disk_facts home[] = {
	{ .path = "/dev/sda",
	  .state = AF_DISK_KNOWN,
	  .size = 1000204886016,
	  .model = "WDC WD10EZRX-00A8LB0",
	  .serial = "WD-WCC1U1234567",
	  .transport = "ata",
	  .label = "dos",
	  .judged = 5,
	  .failing = 2,
	  .used = "/srv",
	  .uses = "sda5 mounted at /srv" },
	{ .path = "/dev/sdb",
	  .state = AF_DISK_KNOWN,
	  .size = 16 * GB,
	  .model = "SanDisk Ultra USB 3.0",
	  .serial = "4C530001230101112345",
	  .transport = "usb",
	  .removable = true,
	  .label = "gpt",
	  .judged = 1 },
	{ .path = "/dev/sdc",
	  .state = AF_DISK_READING,
	  .size = 8000 * GB,
	  .model = "ST8000DM004-2CX188",
	  .serial = "ZCT0ABCD",
	  .transport = "ata" },
	{ .path = "/dev/sdd",
	  .state = AF_DISK_CLOSED,
	  .size = 320 * GB,
	  .model = "Hitachi HTS545032B9A300",
	  .serial = "090911PB4400Q7G0VLNA",
	  .transport = "usb",
	  .why = "cannot read /dev/sdd at byte 0 (a bad sector, a bad cable or a failing "
		 "drive): Input/output error" },
	{ .path = "/dev/sde",
	  .state = AF_DISK_KNOWN,
	  .size = 64 * GB,
	  .model = "Generic Flash Disk",
	  .transport = "usb",
	  .read_only = true,
	  .removable = true,
	  .label = "none",
	  .holds = "vfat \"KAMERA\"" },
	{ .path = "/dev/sr0",
	  .state = AF_DISK_KNOWN,
	  .size = 658505728,
	  .model = "HL-DT-ST DVDRAM GH24NSD1",
	  .transport = "ata",
	  .removable = true,
	  .read_only = true,
	  .label = "dos",
	  .judged = 2,
	  .holds = "an ISO image",
	  .remark = "the disk holds an ISO image with tables of its own" },
	{ .path = "/dev/nvme0n1",
	  .state = AF_DISK_KNOWN,
	  .size = 500107862016,
	  .model = "Samsung SSD 980 500GB",
	  .serial = "S64DNF0R123456X",
	  .transport = "nvme",
	  .is_system = true,
	  .label = "gpt",
	  .judged = 4,
	  .tails = 1,
	  .used = "/boot/efi /boot LUKS secret LVM vg0-root / LVM vg0-swap swap",
	  .uses = "nvme0n1p1 mounted at /boot/efi; nvme0n1p2 mounted at /boot; nvme0n1p3 "
		  "part of LUKS secret, part of LVM vg0-root, part of LVM vg0-swap, "
		  "mounted at /, used "
		  "as swap" },
	{ .path = "/dev/md0",
	  .state = AF_DISK_KNOWN,
	  .size = 4000 * GB,
	  .model = "RAID md0",
	  .label = "gpt" },
	{ .path = "/dev/loop0",
	  .state = AF_DISK_KNOWN,
	  .size = AF_GIB,
	  .model = "/home/kim/Bücher und Bilder/größe.img",
	  .label = "gpt",
	  .judged = 12,
	  .failing = 12 },
};

#define HOME (sizeof(home) / sizeof(home[0]))

static size_t many(struct af_disk_facts *out)
{
	for (size_t i = 0; i < 60; i++) {
		out[i] = home[i % 2];
		(void)snprintf(out[i].path, sizeof(out[i].path), "/dev/mapper/mpath%zu", i);
	}
	return 60;
}

/* What one without rights sees: the kernel tells of itself, and who uses a disk. */
static size_t user(struct af_disk_facts *out)
{
	for (size_t i = 0; i < HOME; i++) {
		struct af_disk_facts *f = &out[i];
		*f = home[i];
		f->state = AF_DISK_CLOSED;
		f->no_rights = true;
		f->label[0] = f->holds[0] = f->remark[0] = '\0';
		f->judged = f->failing = f->tails = 0;
		(void)snprintf(f->why, sizeof(f->why), "permission denied");
	}
	return HOME;
}

size_t machine_make(const char *name, struct af_disk_facts out[MACHINE_MOST])
{
	if (strcmp(name, "many") == 0)
		return many(out);
	if (strcmp(name, "user") == 0)
		return user(out);
	if (strcmp(name, "none") == 0)
		return 0;
	if (strcmp(name, "home") != 0) {
		(void)fprintf(stderr, "there is no machine %s\n", name);
		exit(1);
	}
	memcpy(out, home, sizeof(home));
	return HOME;
}
