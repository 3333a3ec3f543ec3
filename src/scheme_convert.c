/*
 * scheme_convert.c - the types of partitions that an MBR and a GPT both have a word for.
 *
 * Codes are those of the PC partition table as Linux and libfdisk name them; GUIDs those of the UEFI specification, of
 * Microsoft, Apple, the BSDs, illumos, VMware, and of the Discoverable Partitions Specification. A row that is not the
 * first for its code, or for its GUID, serves the other direction only. What is not here has no counterpart: types that
 * make sense with one kind of table alone (BIOS boot, Microsoft reserved), and containers without a GUID of their own
 * (NetBSD's).
 */
#include "afdisk/scheme.h"
#include <string.h>

#define BASIC_DATA "EBD0A0A2-B9E5-4433-87C0-68B6B72699C7"
#define LINUX      "0FC63DAF-8483-4772-8E79-3D69D8477DE4"

static const struct twin {
	uint8_t code;
	bool hidden; /* a code of its own on an MBR, attribute bit 62 of basic data on a GPT */
	char guid[37];
} twin_table[] = {
	{ 0x07, false, BASIC_DATA },
	{ 0x01, false, BASIC_DATA },
	{ 0x04, false, BASIC_DATA },
	{ 0x06, false, BASIC_DATA },
	{ 0x0b, false, BASIC_DATA },
	{ 0x0c, false, BASIC_DATA },
	{ 0x0e, false, BASIC_DATA },
	{ 0x17, true, BASIC_DATA },
	{ 0x11, true, BASIC_DATA },
	{ 0x14, true, BASIC_DATA },
	{ 0x16, true, BASIC_DATA },
	{ 0x1b, true, BASIC_DATA },
	{ 0x1c, true, BASIC_DATA },
	{ 0x1e, true, BASIC_DATA },
	{ 0x27, false, "DE94BBA4-06D1-4D40-A16A-BFD50179D6AC" },
	{ 0x39, false, "C91818F9-8025-47AF-89D2-F030D7000C2C" },
	{ 0x41, false, "9E1A2D38-C612-4316-AA26-8B49521E5A8B" },
	{ 0x82, false, "0657FD6D-A4AB-43C4-84E5-0933C84B4F4F" },
	{ 0x83, false, LINUX },
	{ 0x83, false, "44479540-F297-41B2-9AF7-D131D5F0458A" }, /* root, x86 */
	{ 0x83, false, "4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709" }, /* root, x86-64 */
	{ 0x83, false, "69DAD710-2CE4-4E3C-B16C-21A1D49ABED3" }, /* root, ARM */
	{ 0x83, false, "B921B045-1DF0-41C3-AF44-4C6F280D3FAE" }, /* root, ARM 64 */
	{ 0x83, false, "933AC7E1-2EB4-4F13-B844-0E14E2AEF915" }, /* home */
	{ 0x83, false, "3B8F8425-20E0-4F3B-907F-1A25A76F98E8" }, /* srv */
	{ 0x83, false, "4D21B016-B534-45C2-A9FB-5C16E091FD2D" }, /* var */
	{ 0x84, false, "D3BFE2DE-3DAF-11DF-BA40-E3A556D89593" },
	{ 0x8e, false, "E6D6D379-F507-44C2-A23C-238F2A3DF928" },
	{ 0xa5, false, "516E7CB4-6ECF-11D6-8FF8-00022D09712B" },
	{ 0xa6, false, "824CC7A0-36A8-11E3-890A-952519AD3F61" },
	{ 0xa8, false, "55465300-0000-11AA-AA11-00306543ECAC" },
	{ 0xab, false, "426F6F74-0000-11AA-AA11-00306543ECAC" },
	{ 0xaf, false, "48465300-0000-11AA-AA11-00306543ECAC" },
	{ 0xbf, false, "6A85CF4D-1DD2-11B2-99A6-080020736631" },
	{ 0xe8, false, "CA7D7CCB-63ED-4C53-861C-1742536059CC" },
	{ 0xea, false, "BC13C2FF-59E6-4262-A352-B275FD6F7172" },
	{ 0xeb, false, "42465331-3BA3-10F1-802A-4861696B7521" },
	{ 0xef, false, "C12A7328-F81F-11D2-BA4B-00A0C93EC93B" },
	{ 0xfb, false, "AA31E02A-400F-11DB-9590-000C2911D1B8" },
	{ 0xfc, false, "9D275380-40AD-11DB-BF97-000C2911D1B8" },
	{ 0xfd, false, "A19D880F-05FC-4D3B-A006-743F0F84911E" },
};

#define TWINS (sizeof(twin_table) / sizeof(twin_table[0]))

/* The bytes of a GUID of the table, in the order of the text. */
static void guid_bytes(const char *text, uint8_t out[16])
{
	static const char digits[] = "0123456789ABCDEF";
	size_t n = 0;
	memset(out, 0, 16);
	for (; *text != '\0'; text++)
		if (*text != '-') {
			const char *digit = strchr(digits, *text);
			out[n / 2] = (uint8_t)(out[n / 2] << 4 | (digit - digits));
			n++;
		}
}

static bool twin_of_code(uint8_t code, struct af_scheme_kind *out)
{
	for (size_t i = 0; i < TWINS; i++)
		if (twin_table[i].code == code) {
			guid_bytes(twin_table[i].guid, out->type);
			out->hidden = twin_table[i].hidden;
			return true;
		}
	return false;
}

static bool twin_of_guid(const struct af_scheme_kind *kind, struct af_scheme_kind *out)
{
	char text[40];
	af_scheme_uuid_text(kind->type, text);
	bool hidden = kind->hidden && strcmp(text, BASIC_DATA) == 0;
	for (size_t i = 0; i < TWINS; i++)
		if (twin_table[i].hidden == hidden &&
		    strcmp(twin_table[i].guid, text) == 0) {
			*out = (struct af_scheme_kind){ .type = { twin_table[i].code } };
			return true;
		}
	return false;
}

bool af_scheme_convert(enum af_scheme from, const struct af_scheme_kind *kind,
		       struct af_scheme_kind *out)
{
	switch (from) {
	case AF_SCHEME_MBR:
		return twin_of_code(kind->type[0], out);
	case AF_SCHEME_GPT:
		return twin_of_guid(kind, out);
	case AF_SCHEME_NONE:
	case AF_SCHEME_SUN:
	case AF_SCHEME_SGI:
	case AF_SCHEME_BSD:
		break;
	}
	return false;
}
