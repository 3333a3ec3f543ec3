/* Case 12: a partition that gets another number is warned of where the system names it by the old one. */
#include "afdisk/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the ones above first */
#include <cmocka.h>

#include "disks.h"
#include "folder.h"

#define ID "00000001"

static char root[200], image[240], fstab[240];

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	(void)snprintf(root, sizeof(root), "%s/afdisk-session-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(root))
		return -1;
	(void)snprintf(image, sizeof(image), "%s/disk.img", root);
	(void)snprintf(fstab, sizeof(fstab), "%s/fstab", root);
	disk_make(image, "204800 512 dos 0x1 e2=2048+102400,5 l5=4096+4096,83,ebr=2048 "
			 "l6=10240+4096,83,ebr=8192 l7=16384+4096,83,ebr=14336");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return folder_remove(root);
}

/* How many warnings the commands get with that fstab; *last is the last one. */
static size_t warnings(const char *maybe_text, const char *commands, char last[240])
{
	const struct af_session_options options = { .maybe_fstab = fstab };
	struct af_session *s;
	struct af_plan plan;
	struct af_err err;
	size_t n = 0;
	FILE *f = maybe_text ? fopen(fstab, "we") : NULL;

	if (f) {
		assert_true(fputs(maybe_text, f) >= 0);
		assert_int_equal(fclose(f), 0);
	}
	s = af_session_open(image, &options, &err);
	assert_non_null(s);
	assert_true(af_session_run(s, commands, &err));
	af_session_plan(s, &plan);
	for (size_t i = 0; i < plan.nsteps; i++)
		if (strcmp(plan.step[i].step, "warning") == 0) {
			(void)snprintf(last, 240, "%s", plan.step[i].detail);
			n++;
		}
	af_plan_release(&plan);
	af_session_close(s);
	return n;
}

static void test_session__names_in_fstab_that_change_are_warned_of(void **state)
{
	char last[240] = "";

	(void)state;
	assert_int_equal(warnings(NULL, "delete 5", last), 0); /* there is no such file */
	assert_int_equal(warnings("# root\n/dev/disk.img6\t/ ext4 defaults 0 1\n"
				  "LABEL=x /home ext4 defaults 0 2",
				  "delete 5", last),
			 1);
	assert_string_equal(last,
			    "disk.img5 is /dev/disk.img6 so far, and fstab or crypttab "
			    "says so: change that, best to a UUID");
	assert_int_equal(
		warnings("crypt /dev/disk.img7 none luks\n  /dev/disk.img6 none swap",
			 "delete 5", last),
		2);
	assert_int_equal(warnings("/dev/disk.img60 / ext4\n#/dev/disk.img6 / ext4\n"
				  "/dev/disk.img4 / ext4 # /dev/disk.img7\n",
				  "delete 5", last),
			 0);
	assert_int_equal(warnings("/dev/disk.img7 / ext4\n", "delete 7", last), 1);
	assert_string_equal(
		last, "disk.img7 is named in fstab or crypttab: take that line out, or "
		      "the system waits for it when it starts");
	assert_int_equal(warnings("/dev/disk.img6 / ext4\n", "type 6 swap", last), 0);
}

static void test_session__partuuids_that_change_are_warned_of(void **state)
{
	char last[240] = "";

	(void)state;
	assert_int_equal(warnings("PARTUUID=\"" ID "-06\" / ext4\n", "delete 5", last), 1);
	assert_string_equal(last, "disk.img5 is PARTUUID=" ID
				  "-06 so far, and fstab or crypttab says so: change that, "
				  "best to a UUID");
	assert_int_equal(warnings("PARTUUID=" ID "-07 / ext4\n", "delete 7", last), 1);
	assert_int_equal(warnings("PARTUUID=" ID "-05 / ext4\n", "delete 7", last), 0);
	assert_int_equal(warnings("PARTUUID=" ID "-05 / ext4\n", "type 5 swap", last), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_session__names_in_fstab_that_change_are_warned_of, setup,
			teardown),
		cmocka_unit_test_setup_teardown(
			test_session__partuuids_that_change_are_warned_of, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
