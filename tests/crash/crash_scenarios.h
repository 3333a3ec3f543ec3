/** crash_scenarios.h - changes of a table that a power cut may hit, one of each kind that the writer treats differently. */
#ifndef TESTS_CRASH_SCENARIOS_H
#define TESTS_CRASH_SCENARIOS_H

/** A disk in the words of disks.h, and what is done to its table in those of --edit. */
struct scenario {
	const char *name, *disk, *commands;
};

#define GPT_ID "11111111-2222-4333-8444-555555555555"

/* A primary, an extended partition with three logicals on the grain, free space in and behind it. */
#define DOS                                                                                \
	"65536 512 dos 0x1234 boot-code p1=2048+4096,83,boot e2=10240+40960,5 "            \
	"l5=12288+4096,83,ebr=10240 l6=18432+4096,83,ebr=16384 "                           \
	"l7=24576+4096,83,ebr=22528 "

/* The same kind of table in the old way: everything from sector 63 on, EBRs 63 before their data. */
#define OLD                                                                                \
	"65536 512 dos 0x1234 boot-code p1=63+4001,83,boot e2=8064+44352,5 "               \
	"l5=8127+4001,83 l6=12191+4001,83 l7=16255+4001,83 l8=20319+4001,83 "

/* EBRs right before their data: nowhere to go. */
#define TIGHT                                                                              \
	"65536 512 dos 0x1234 p1=2048+4096,83 e2=10240+40960,5 "                           \
	"l5=10241+4096,83,ebr=10240 "                                                      \
	"l6=14338+4096,83,ebr=14337 l7=18435+4096,83,ebr=18434 "

#define DOS4K                                                                              \
	"16384 4096 dos 0x1234 p1=256+1024,83 e2=1536+10240,5 l5=1792+512,83,ebr=1536 "    \
	"l6=2560+512,83,ebr=2304 l7=3328+512,83,ebr=3072 "

#define GPT                                                                                \
	"65536 512 gpt " GPT_ID " g1=2048+4096,linux,auto g2=8192+8192,linux,auto "        \
	"g3=20480+4096,linux,auto "

#define GPT4K "16384 4096 gpt " GPT_ID " g1=256+512,linux,auto g2=1024+1024,linux,auto "

#define NONE "65536 512 none"

static const struct scenario scenario_table[] = {
	/* MBR, the first sector only */
	{ "mbr: type", DOS, "type 1 7" },
	{ "mbr: boot flag off", DOS, "boot 1 off" },
	{ "mbr: new primary", DOS, "new primary start=6144 size=2M" },
	{ "mbr: delete primary", DOS, "delete 1" },
	{ "mbr: delete extended with all logicals", DOS, "delete 2" },
	{ "mbr: new extended", NONE, "label dos; new extended size=10M" },
	/* logicals */
	{ "mbr: new logical at the end", DOS, "new logical start=32768 size=2M" },
	{ "mbr: delete the first logical", DOS, "delete 5" },
	{ "mbr: delete a middle logical", DOS, "delete 6" },
	{ "mbr: delete the last logical", DOS, "delete 7" },
	{ "mbr: delete all logicals", DOS, "delete 7; delete 6; delete 5" },
	{ "mbr: shrink the first logical", DOS, "resize 5 size=1M" },
	{ "mbr: shrink a middle logical", DOS, "resize 6 size=1M" },
	{ "mbr: shrink the last logical", DOS, "resize 7 size=1M" },
	{ "mbr: grow the last logical", DOS, "resize 7 size=4M" },
	{ "mbr: move a middle logical behind all", DOS, "move 6 start=40960 table-only" },
	{ "mbr: move the last logical", DOS, "move 7 start=32768 table-only" },
	{ "mbr: start of the first logical moves", DOS, "resize 5 start=14336 table-only" },
	{ "mbr: type of every logical", DOS, "type 5 82; type 6 82; type 7 82" },
	{ "mbr: a primary and two logicals at once", DOS,
	  "delete 1; delete 6; type 5 82; new logical size=1M" },
	{ "mbr: sort", DOS "l8=30720+2048,83,ebr=30657 ", "delete 5; sort" },
	/* the extended partition itself */
	{ "mbr: extended grows, and a logical in the new room", DOS,
	  "resize 2 end=61439; new logical start=53248 size=2M" },
	{ "mbr: extended grows with its last logical", DOS, "resize 7 end=57343" },
	{ "mbr: extended shrinks to its logicals", DOS, "resize 2 end=30719" },
	{ "mbr: extended shrinks behind a deleted logical", DOS,
	  "delete 7; resize 2 end=24575" },
	{ "mbr: start of the extended goes down", DOS, "resize 2 start=8192 table-only" },
	{ "mbr: start of the extended goes up", DOS,
	  "delete 5; resize 2 start=14336 table-only" },
	{ "mbr: start goes down, one logical less", DOS,
	  "delete 6; resize 2 start=8192 table-only" },
	{ "mbr: start goes down for a new first place", DOS,
	  "resize 2 start=8192 table-only; move 5 start=10240 table-only" },
	{ "mbr: start goes down, old chain", OLD, "resize 2 start=6144 table-only" },
	{ "mbr: start goes down, no sector for the EBRs", TIGHT,
	  "resize 2 start=8192 table-only" },
	{ "mbr: align all of an old table", OLD, "align all table-only" },
	{ "mbr: align one logical of an old table", OLD, "align 8 table-only" },
	/* new labels */
	{ "mbr: on an empty disk", NONE,
	  "label dos; new size=4M; new logical size=2M; new logical size=2M" },
	{ "mbr: over an mbr", DOS, "label dos; new size=4M; new logical size=2M" },
	{ "mbr: over a gpt", GPT, "label dos; new size=4M; new logical size=2M" },
	{ "gpt: on an empty disk", NONE, "label gpt; new size=4M" },
	{ "gpt: over an mbr", DOS, "label gpt; new size=4M; new size=4M" },
	{ "gpt: over a gpt", GPT, "label gpt; new size=4M" },
	/* GPT */
	{ "gpt: new", GPT, "new size=2M" },
	{ "gpt: delete", GPT, "delete 2" },
	{ "gpt: move", GPT, "move 2 start=10240 table-only" },
	{ "gpt: grow", GPT, "resize 3 size=8M" },
	{ "gpt: name", GPT, "name 2 other" },
	{ "gpt: everything", GPT, "delete 1; resize 2 size=1M; new; attr 3 2 on; sort" },
	{ "gpt: converted to mbr", GPT, "convert dos" },
	{ "mbr: converted to gpt", "65536 512 dos 0x1234 p1=2048+4096,83 p2=8192+4096,83",
	  "convert gpt" },
	{ "gpt: repaired header", GPT "poke=528,00000000", "repair" },
	{ "gpt: repaired entries", GPT "poke=1024,00000000", "repair" },
	{ "gpt: repaired backup", GPT "poke=33553936,00000000", "repair" },
	{ "gpt: repaired, and changed", GPT "poke=528,00000000", "repair; delete 2" },
	{ "gpt: all of 128 partitions at once", "gpt128", "delete 1; sort" },
	{ "gpt: one of 128 partitions", "gpt128", "name 64 other" },
	{ "mbr: one of 56 logicals", "dos56", "type 30 82" },
	{ "mbr: one of 56 logicals less", "dos56", "delete 30" },
	{ "mbr: many of 56 logicals", "dos56",
	  "type 7 82; type 10 82; type 13 82; type 16 82; type 19 82; type 22 82; "
	  "type 25 82; type 28 82; type 31 82; type 34 82; type 37 82; type 40 82; "
	  "type 43 82; type 46 82; delete 50; delete 52" },
	{ "mbr: start of the extended, 56 logicals", "dos56",
	  "delete 1; resize 2 start=2048 table-only" },
	/* 4096-byte sectors */
	{ "mbr 4k: delete a middle logical", DOS4K, "delete 6" },
	{ "mbr 4k: start of the extended goes down", DOS4K,
	  "resize 2 start=1280 table-only" },
	{ "mbr 4k: new logical", DOS4K, "new logical size=2M" },
	{ "gpt 4k: new", GPT4K, "new size=2M" },
	{ "gpt 4k: delete and grow", GPT4K, "delete 1; resize 2 size=8M" },
	{ "gpt 4k: over nothing", "16384 4096 none", "label gpt; new size=4M" },
};

#define SCENARIOS (sizeof(scenario_table) / sizeof(scenario_table[0]))
#endif
