/* Topology: a made-up folder in place of the kernel's, images, and what the user says instead. */
#include "afdisk/topo.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* cmocka wants the ones above first */
#include "folder.h"
#include <cmocka.h>

static char root[200], folder[300], image[240];
static struct af_dev dev;
static struct af_topo topo;
static struct af_err err;

static void make_folders(const char *path)
{
	char part[400];

	for (const char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		(void)snprintf(part, sizeof(part), "%.*s", (int)(p - path), path);
		(void)mkdir(part, 0700);
	}
	(void)mkdir(path, 0700);
}

/** Puts a file with one line into the made-up sysfs folder. */
static void put(const char *name, const char *line)
{
	char path[400], above[400];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	(void)snprintf(above, sizeof(above), "%s", path);
	*strrchr(above, '/') = '\0';
	make_folders(above);
	f = fopen(path, "we");
	assert_non_null(f);
	assert_true(fprintf(f, "%s\n", line) > 0);
	assert_int_equal(fclose(f), 0);
}

static void use_folder(const char *below)
{
	(void)snprintf(folder, sizeof(folder), "%s/%s", root, below);
	make_folders(folder);
}

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");
	int fd;

	(void)state;
	memset(&topo, 0, sizeof(topo));
	(void)snprintf(root, sizeof(root), "%s/afdisk-topo-XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(root));
	(void)snprintf(image, sizeof(image), "%s/disk.img", root);
	fd = open(image, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 1000000), 0);
	assert_int_equal(close(fd), 0);
	assert_true(af_dev_open(image, &dev, &err));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	af_dev_close(&dev);
	return folder_remove(root);
}

static void test_topo__reads_a_drive_with_an_offset(void **state)
{
	(void)state;
	use_folder(
		"devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda");
	put("queue/logical_block_size", "512");
	put("queue/physical_block_size", "4096");
	put("queue/minimum_io_size", "4096");
	put("queue/optimal_io_size", "1048576");
	put("alignment_offset", "3584");
	put("size", "1953525168");
	put("removable", "0");
	put("ro", "1");
	put("device/vendor", "ATA     ");
	put("device/model", "WDC WD10EARS-00Y ");
	put("serial", "S1");
	af_topo_sysfs(folder, &topo);
	assert_int_equal(topo.sector_size, 512);
	assert_int_equal(topo.physical, 4096);
	assert_int_equal(topo.reported_physical, 4096);
	assert_int_equal(topo.physical_source, AF_SOURCE_DEVICE);
	assert_int_equal(topo.minimum_io, 4096);
	assert_int_equal(topo.optimal_io, 1048576);
	assert_int_equal(topo.alignment_offset, 3584);
	assert_int_equal(topo.offset_source, AF_SOURCE_DEVICE);
	assert_false(topo.offset_unknown);
	assert_int_equal(topo.size, INT64_C(1953525168) * 512);
	assert_false(topo.removable);
	assert_true(topo.read_only);
	assert_string_equal(topo.model, "WDC WD10EARS-00Y");
	assert_string_equal(topo.serial, "S1");
	assert_string_equal(topo.transport, "ata");
}

/* Case 42: the same model is seen to say 512 and 4096; what it is known to be, and what it says, are two facts. */
static void test_topo__a_model_that_is_known_is_not_believed(void **state)
{
	static const struct {
		const char *vendor, *model, *says;
		af_bytes physical;
		enum af_source source;
	} table[] = {
		{ "ATA     ", "WDC WD20EARX-00P", "512", 4096, AF_SOURCE_QUIRK },
		{ "ATA     ", "WDC WD20EARX-00P", "4096", 4096, AF_SOURCE_DEVICE },
		{ "ATA     ", "WDC WD10EARS-00Y5B1", "512", 4096, AF_SOURCE_QUIRK },
		{ "WDC WD20", "EARS-00MVWB0", "512", 4096, AF_SOURCE_QUIRK }, /* by USB */
		{ "ATA     ", "ST9640322AS", "512", 4096, AF_SOURCE_QUIRK },
		{ "ATA     ", "WDC WD10EACS-00Z", "512", 512, AF_SOURCE_DEVICE },
		{ "ATA     ", "ST31000528AS", "512", 512, AF_SOURCE_DEVICE },
		{ "ATA     ", "WDC WD20EARX-00P", "8192", 8192, AF_SOURCE_DEVICE },
	};

	(void)state;
	use_folder("block/sdq");
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		memset(&topo, 0, sizeof(topo));
		put("queue/physical_block_size", table[i].says);
		put("device/vendor", table[i].vendor);
		put("device/model", table[i].model);
		af_topo_sysfs(folder, &topo);
		assert_int_equal(topo.physical, table[i].physical);
		assert_int_equal(topo.physical_source, table[i].source);
		assert_int_equal(topo.reported_physical, strtol(table[i].says, NULL, 10));
	}
}

static void test_topo__an_unknown_offset_counts_as_none(void **state)
{
	(void)state;
	use_folder("block/md0");
	put("alignment_offset", "-1");
	topo.alignment_offset = 512;
	af_topo_sysfs(folder, &topo);
	assert_true(topo.offset_unknown);
	assert_int_equal(topo.alignment_offset, 0);
	assert_int_equal(topo.offset_source, AF_SOURCE_ASSUMED);
}

static void test_topo__missing_and_odd_files_change_nothing(void **state)
{
	struct af_topo before;

	(void)state;
	use_folder("block/sdb");
	put("queue/physical_block_size", "many");
	put("queue/logical_block_size", "99999999999999999999");
	put("removable", "");
	topo = (struct af_topo){
		.sector_size = 2048, .physical = 7, .removable = true, .model = "M"
	};
	before = topo;
	af_topo_sysfs(folder, &topo);
	assert_memory_equal(&topo, &before, sizeof(topo));
	af_topo_sysfs("/no/such/folder", &topo);
	assert_memory_equal(&topo, &before, sizeof(topo));
}

static void test_topo__names_the_bus_by_the_place(void **state)
{
	static const struct {
		const char *place, *bus;
	} row[] = {
		{ "pci/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0/block/sdb", "usb" },
		{ "pci/nvme/nvme0/nvme0n1", "nvme" },
		{ "pci/virtio2/block/vda", "virtio" },
		{ "platform/mmc_host/mmc0/mmc0:1234/block/mmcblk0", "mmc" },
		{ "virtual/block/loop0", "" },
		{ "atal/usbip/block/sdz", "" }, /* words that only begin alike */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct af_topo t = { 0 };

		use_folder(row[i].place);
		af_topo_sysfs(folder, &t);
		assert_string_equal(t.transport, row[i].bus);
	}
}

static void test_topo__puts_the_vendor_first_and_cleans_text(void **state)
{
	(void)state;
	use_folder("block/sdc");
	put("device/vendor", "Seagate ");
	put("device/model", "Back\x1bUp");
	put("device/serial", "  NVME-SERIAL  ");
	af_topo_sysfs(folder, &topo);
	assert_string_equal(topo.model, "Seagate Back?Up");
	assert_string_equal(topo.serial, "NVME-SERIAL");
	put("device/vendor", "0x1af4");
	memset(&topo, 0, sizeof(topo));
	af_topo_sysfs(folder, &topo);
	assert_string_equal(topo.model, "Back?Up");
}

static void test_topo__an_image_is_assumed_to_be_a_512e_drive(void **state)
{
	const struct af_overrides none = { 0 };

	(void)state;
	dev.sector_size = 0;
	assert_true(af_topo_read(&dev, &none, &topo, &err));
	assert_true(topo.is_file);
	assert_int_equal(dev.sector_size, 512);
	assert_int_equal(topo.sector_size, 512);
	assert_int_equal(topo.physical, 4096);
	assert_int_equal(topo.reported_physical, 0);
	assert_int_equal(topo.physical_source, AF_SOURCE_ASSUMED);
	assert_int_equal(topo.sector_source, AF_SOURCE_ASSUMED);
	assert_int_equal(topo.offset_source, AF_SOURCE_ASSUMED);
	assert_int_equal(topo.alignment_offset, 0);
	assert_int_equal(topo.minimum_io, 0);
	assert_int_equal(topo.optimal_io, 0);
	assert_int_equal(topo.grain, 0);
	assert_int_equal(topo.size, 1000000 / 512 * 512);
}

static void test_topo__takes_the_users_word(void **state)
{
	const struct af_overrides o = { .has_sector_size = true,
					.sector_size = 4096,
					.has_physical = true,
					.physical = 16384,
					.has_alignment_offset = true,
					.alignment_offset = 4096,
					.has_grain = true,
					.grain = AF_MIB };

	(void)state;
	assert_true(af_topo_read(&dev, &o, &topo, &err));
	assert_int_equal(dev.sector_size, 4096);
	assert_int_equal(dev.size, 1000000 / 4096 * 4096);
	assert_int_equal(topo.size, dev.size);
	assert_int_equal(topo.sector_size, 4096);
	assert_int_equal(topo.sector_source, AF_SOURCE_USER);
	assert_int_equal(topo.physical, 16384);
	assert_int_equal(topo.physical_source, AF_SOURCE_USER);
	assert_int_equal(topo.alignment_offset, 4096);
	assert_int_equal(topo.offset_source, AF_SOURCE_USER);
	assert_int_equal(topo.grain, AF_MIB);
	assert_int_equal(topo.grain_source, AF_SOURCE_USER);
}

static void test_topo__physical_512_can_be_asked_for(void **state)
{
	const struct af_overrides o = { .has_physical = true, .physical = 512 };

	(void)state;
	assert_true(af_topo_read(&dev, &o, &topo, &err));
	assert_int_equal(topo.physical, 512);
}

static void test_topo__refuses_overrides_that_make_no_sense(void **state)
{
	static const struct {
		struct af_overrides o;
		const char *word;
	} row[] = {
		{ { .has_sector_size = true, .sector_size = 520 }, "sector size of 520" },
		{ { .has_sector_size = true, .sector_size = 8192 }, "sector size of 8192" },
		{ { .has_sector_size = true, .sector_size = 0 }, "sector size of 0" },
		{ { .has_physical = true, .physical = 1000 }, "physical sector of 1000" },
		{ { .has_physical = true, .physical = 0 }, "physical sector of 0" },
		{ { .has_physical = true, .physical = -512 }, "physical sector of -512" },
		{ { .has_sector_size = true,
		    .sector_size = 4096,
		    .has_physical = true,
		    .physical = 512 },
		  "physical sector of 512" },
		{ { .has_alignment_offset = true, .alignment_offset = 4096 }, "less than" },
		{ { .has_alignment_offset = true, .alignment_offset = -512 }, "less than" },
		{ { .has_alignment_offset = true, .alignment_offset = 100 }, "multiple" },
		{ { .has_grain = true, .grain = 0 }, "grain of 0" },
		{ { .has_grain = true, .grain = -AF_MIB }, "grain of -" },
		{ { .has_grain = true, .grain = 1000 }, "grain of 1000" },
		{ { .has_grain = true, .grain = 512 },
		  "a grain of 512 bytes cannot be: it must be a multiple of the 4096" },
		{ { .has_grain = true,
		    .grain = 4096,
		    .has_physical = true,
		    .physical = 16384 },
		  "multiple of the 16384" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		dev.sector_size = 77;
		topo.size = 88;
		assert_false(af_topo_read(&dev, &row[i].o, &topo, &err));
		assert_int_equal(err.code, AF_E_USAGE);
		assert_non_null(strstr(err.text, row[i].word));
		assert_int_equal(dev.sector_size, 77); /* outputs are untouched */
		assert_int_equal(topo.size, 88);
	}
}

static void test_topo__refuses_less_than_a_sector(void **state)
{
	const struct af_overrides o = { .has_sector_size = true, .sector_size = 4096 };

	(void)state;
	dev.size = 1024;
	assert_false(af_topo_read(&dev, &o, &topo, &err));
	assert_int_equal(err.code, AF_E_USAGE);
}

static void test_topo__a_device_knows_its_own_sectors(void **state)
{
	const struct af_overrides none = { 0 };
	const struct af_overrides o = { .has_sector_size = true, .sector_size = 4096 };
	struct af_dev memory = { .size = AF_MIB, .sector_size = 2048 };

	(void)state;
	assert_false(af_topo_read(&memory, &o, &topo, &err));
	assert_int_equal(err.code, AF_E_USAGE);
	assert_true(af_topo_read(&memory, &none, &topo, &err));
	assert_int_equal(topo.sector_size, 2048);
	memory.sector_size = 65536;
	assert_false(af_topo_read(&memory, &none, &topo, &err));
	assert_int_equal(err.code, AF_E_USAGE);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_topo__reads_a_drive_with_an_offset),
		CASE(test_topo__a_model_that_is_known_is_not_believed),
		CASE(test_topo__an_unknown_offset_counts_as_none),
		CASE(test_topo__missing_and_odd_files_change_nothing),
		CASE(test_topo__names_the_bus_by_the_place),
		CASE(test_topo__puts_the_vendor_first_and_cleans_text),
		CASE(test_topo__an_image_is_assumed_to_be_a_512e_drive),
		CASE(test_topo__takes_the_users_word),
		CASE(test_topo__physical_512_can_be_asked_for),
		CASE(test_topo__refuses_overrides_that_make_no_sense),
		CASE(test_topo__refuses_less_than_a_sector),
		CASE(test_topo__a_device_knows_its_own_sectors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
