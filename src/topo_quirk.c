/*
 * topo_quirk.c - drives known by their names to have 4096-byte physical sectors, many of which say 512 or did so with
 * earlier firmware. The families are those that their makers sold as Advanced Format, as published on data sheets and
 * kept by FreeBSD (sys/cam/ata/ata_da.c) and smartmontools (drivedb.h) for the same purpose. Where the same model is
 * seen to say both (WD20EARX-00PASB0), the larger size is the one that cannot hurt.
 */
#include <fnmatch.h>
#include <string.h>

#include "topo_priv.h"

/* Names without their blanks: what a bridge splits into vendor and model has one at another place. */
static const char *const advanced_table[] = {
	"WDCWD??EAR[SX]*", /* WD Caviar Green: WD10EARS-00Y5B1, WD20EARX-00PASB0 */
	"WDCWD??EZRX*",    /* WD Green: WD30EZRX-00MMMB0 */
	"WDCWD????BPVT*",  /* WD Scorpio Blue */
	"SAMSUNGHD155UI*", /* SpinPoint EcoGreen F4 */
	"SAMSUNGHD204UI*", "ST????DL00?-*", /* Barracuda Green */
	"ST????DM00?-*", /* Barracuda, Desktop HDD: ST4000DM000, ST2000DM001 */
	"ST9640322AS*",  /* Momentus 5400.7 (AF), with an offset of one sector */
};

af_bytes af_topo_quirk(const char *model)
{
	char name[64];
	size_t n = 0;

	for (; *model && n + 1 < sizeof name; model++)
		if (*model != ' ')
			name[n++] = *model;
	name[n] = '\0';
	for (size_t i = 0; i < sizeof advanced_table / sizeof *advanced_table; i++)
		if (fnmatch(advanced_table[i], name, 0) == 0)
			return 4096;
	return 0;
}
