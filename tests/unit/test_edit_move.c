/* The verbs of the edit room that move edges: resize, move, align. */
#include "edit_tries.h"

static const struct attempt resize_table[] = {
	{ .say = "the end goes up to the grain",
	  .words = SMALL,
	  .commands = "resize 1 size=50000000B",
	  .expect = "p1=2048+98304,83 e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696" },
	{ .say = "the start goes up to the grain",
	  .words = SMALL,
	  .commands = "resize 1 start=3000",
	  .expect = "p1=4096+202752,83 e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696" },
	{ .say = "not over the next one",
	  .words = SMALL,
	  .commands = "resize 1 size=1G",
	  .code = AF_E_RANGE,
	  .text = "the end can only be put at sectors 2048 to 206847: others (or its own "
		  "data) lie beyond" },
	{ .say = "no end off the boundary that nobody asked for",
	  .words = "2097152 512 dos 1 p1=2049+5,83 p2=2055+4001,83",
	  .commands = "resize 1 size=3s",
	  .code = AF_E_RANGE,
	  .text = "there is no 4 KiB boundary to put the end of partition 1 on between its "
		  "neighbours: --exact takes any sector" },
	{ .say = "nor a start",
	  .words = "2097152 512 dos 1 p1=2049+5,83 p2=2055+4001,83",
	  .commands = "resize 1 start=2050",
	  .code = AF_E_RANGE,
	  .text = "there is no 4 KiB boundary to put the start of partition 1 on between "
		  "its "
		  "neighbours: --exact takes any sector" },
	{ .say = "an extended one to the end of the disk",
	  .words = SMALL,
	  .commands = "resize 2 size=max",
	  .expect = "p1=2048+204800,83 e2=206848+1890304,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696" },
	{ .say = "an extended one shrinks to its logicals",
	  .words = SMALL,
	  .commands = "resize 2 end=621000",
	  .expect = "p1=2048+204800,83 e2=206848+415744,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696" },
	{ .say = "never below its logicals",
	  .words = SMALL,
	  .commands = "resize 2 end=500000",
	  .code = AF_E_RANGE,
	  .text = "the end can only be put at sectors 620543 to 2097151: others (or its "
		  "own data) lie beyond" },
	{ .say = "its start takes the first EBR along",
	  .words = SMALL,
	  .commands = "resize 2 start=207000",
	  .expect = "p1=2048+204800,83 e2=207000+1023848,05 l5=208896+204800,83,ebr=207000 "
		    "l6=415744+204800,83,ebr=413696" },
	{ .say = "growing by some",
	  .words = SMALL,
	  .commands = "resize 6 size=+10M",
	  .expect = "p1=2048+204800,83 e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+225280,83,ebr=413696" },
	{ .say = "max stays inside the extended one first",
	  .words = SMALL,
	  .commands = "resize 6 size=max",
	  .expect = "p1=2048+204800,83 e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+815104,83,ebr=413696" },
	{ .say = "max grows the extended one when nothing is left inside",
	  .words = SMALL,
	  .commands = "resize 6 size=max; resize 6 size=max",
	  .expect = "p1=2048+204800,83 e2=206848+1890304,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+1681408,83,ebr=413696" },
	{ .say = "a moved start takes its EBR along",
	  .words = SMALL,
	  .commands = "resize 6 start=416000",
	  .expect = "p1=2048+204800,83 e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=417792+202752,83,ebr=415744" },
	{ .say = "to nothing",
	  .words = SMALL,
	  .commands = "resize 6 size=0",
	  .code = AF_E_RANGE,
	  .text = "the size must be more than nothing" },
	{ .say = "shrinking never grows",
	  .words = "2097152 512 dos 1 p1=63+2100,83",
	  .commands = "resize 1 size=-1s",
	  .expect = "p1=63+1985,83" },
	{ .say = "both edges at once",
	  .words = SMALL,
	  .commands = "resize 1 start=4096 end=102399",
	  .expect = "p1=4096+98304,83 e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696" },
	{ .say = "the edge that is not named stays",
	  .words = "2097152 512 dos 1 p1=63+204801,83",
	  .commands = "resize 1 size=+1M",
	  .expect = "p1=63+208833,83" },
	{ .say = "exact",
	  .words = SMALL,
	  .commands = "resize 1 start=2049 end=206000",
	  .exact = true,
	  .expect = "p1=2049+203952,83 e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696" },
	{ .say = "exact: max is all there is",
	  .words = "2097151 512 dos 1 p1=63+2100,83",
	  .commands = "resize 1 size=max",
	  .exact = true,
	  .expect = "p1=63+2097088,83" },
	{ .say = "no such partition",
	  .words = SMALL,
	  .commands = "resize 9 size=1M",
	  .code = AF_E_USAGE,
	  .text = "there is no partition 9" },
	{ .say = "no table",
	  .words = "2097152 512 none",
	  .commands = "resize 1 size=1M",
	  .code = AF_E_USAGE,
	  .text = "there is no partition 1" },
};

static const struct attempt move_table[] = {
	{ .say = "to another gap, size kept to the sector",
	  .words = "2097152 512 dos 1 p1=63+204801,83 p2=204864+100000,83",
	  .commands = "move 1 start=400000",
	  .expect = "p2=204864+100000,83 p1=401408+204801,83" },
	{ .say = "a logical takes its EBR and the extended one along",
	  .words = SMALL,
	  .commands = "move 6 start=1200000",
	  .expect = "p1=2048+204800,83 e2=206848+1198080,05 l5=208896+204800,83,ebr=206848 "
		    "l6=1200128+204800,83,ebr=1198080" },
	{ .say = "not into what is in use",
	  .words = SMALL,
	  .commands = "move 1 start=300000",
	  .code = AF_E_RANGE,
	  .text = "sector 300000 is in use, or not where this kind of partition can be" },
	{ .say = "not where it does not fit",
	  .words = SMALL,
	  .commands = "move 1 start=2000000",
	  .code = AF_E_RANGE,
	  .text = "100 MiB from sector 2000000 on do not fit: the free sectors there are "
		  "1230848 to 2097151" },
	{ .say = "not off the boundary",
	  .words = "2097152 512 dos 1 p1=2049+1000,83 p2=3051+4001,83 p3=63+1986,83",
	  .commands = "move 1 start=2050",
	  .code = AF_E_RANGE,
	  .text = "there is no 4 KiB boundary to put the start of partition 1 on between "
		  "its "
		  "neighbours: --exact takes any sector" },
	{ .say = "a logical stays with the extended one",
	  .words = SMALL,
	  .commands = "move 6 start=2048",
	  .code = AF_E_RANGE,
	  .text = "sector 2048 is in use, or not where this kind of partition can be" },
	{ .say = "an extended one does not move",
	  .words = SMALL,
	  .commands = "move 2 start=4M",
	  .code = AF_E_RULE,
	  .text = "an extended partition does not move by itself: resize it, or move its "
		  "logical partitions" },
	{ .say = "exact",
	  .words = SMALL,
	  .commands = "move 1 start=1300001",
	  .exact = true,
	  .expect = "e2=206848+1024000,05 l5=208896+204800,83,ebr=206848 "
		    "l6=415744+204800,83,ebr=413696 p1=1300001+204800,83" },
	{ .say = "align takes the nearest line",
	  .words = "2097152 512 dos 1 p1=63+204801,83",
	  .commands = "align 1",
	  .expect = "p1=2048+204801,83" },
	{ .say = "down if that is nearer",
	  .words = "2097152 512 dos 1 p1=4097+204801,83",
	  .commands = "align 1",
	  .expect = "p1=4096+204801,83" },
	{ .say = "align is done once",
	  .words = "2097152 512 dos 1 p1=4097+204801,83",
	  .commands = "align 1; align 1",
	  .expect = "p1=4096+204801,83" },
	{ .say = "no line between the neighbours",
	  .words = "2097152 512 dos 1 p1=63+204801,83 p2=204864+100000,83",
	  .commands = "align 1",
	  .code = AF_E_RANGE,
	  .text = "there is no grain line for partition 1 between its neighbours: 'align "
		  "all' (A) moves them too" },
	{ .say = "align a logical, EBR kept",
	  .words = "2097152 512 dos 1 e1=63+1000000,5 l5=126+200000,83,ebr=63 "
		   "l6=204926+200000,83,ebr=204863",
	  .commands = "align 6",
	  .expect = "e1=63+1000000,05 l5=126+200000,83,ebr=63 "
		    "l6=204800+200000,83,ebr=202752" },
	{ .say = "align an extended one",
	  .words = "2097152 512 dos 1 e1=4097+1000000,5 l5=8192+200000,83,ebr=4097",
	  .commands = "align 1",
	  .expect = "e1=4096+1000001,05 l5=8192+200000,83,ebr=4096" },
	{ .say = "an extended one without a line",
	  .words = "2097152 512 dos 1 p1=2048+2049,83 e2=4097+1000000,5 "
		   "l5=4160+200000,83,ebr=4097",
	  .commands = "align 2",
	  .code = AF_E_RANGE,
	  .text = "the start of extended partition 2 can lie on no grain line between its "
		  "neighbours and its logicals" },
	{ .say = "align all pushes on",
	  .words = "2097152 512 dos 1 p1=63+204801,83 p2=204864+100000,83 "
		   "e3=304864+1000000,5 l5=304927+100000,83,ebr=304864 "
		   "l6=404990+200000,83,ebr=404927",
	  .commands = "align all",
	  .expect = "p1=2048+204801,83 p2=208896+100000,83 e3=309248+995616,05 "
		    "l5=311296+100000,83,ebr=309248 l6=411648+200000,83,ebr=411296" },
	{ .say = "align all twice is align all once",
	  .words = "2097152 512 dos 1 p1=63+204801,83 p2=204864+100000,83 "
		   "e3=304864+1000000,5 l5=304927+100000,83,ebr=304864 "
		   "l6=404990+200000,83,ebr=404927",
	  .commands = "align all; align all",
	  .expect = "p1=2048+204801,83 p2=208896+100000,83 e3=309248+995616,05 "
		    "l5=311296+100000,83,ebr=309248 l6=411648+200000,83,ebr=411296" },
	{ .say = "align all pushes back from the end",
	  .words = "2097152 512 dos 1 p1=2049+102400,83 p2=1995753+101399,83",
	  .commands = "align all",
	  .expect = "p1=2048+102400,83 p2=1994752+101399,83" },
	{ .say = "align all without room",
	  .words = "2097152 512 dos 1 p1=63+2097089,83",
	  .commands = "align all",
	  .code = AF_E_RANGE,
	  .text = "partition 1 cannot be aligned: with every size kept there is no room "
		  "for it" },
	{ .say = "align all on a GPT",
	  .words = "2097152 512 gpt auto g1=34+204800,linux,auto "
		   "g2=204834+100000,linux,auto",
	  .commands = "align all",
	  .expect = "g1=2048+204800 g2=206848+100000" },
	{ .say = "align all with nothing there",
	  .words = "2097152 512 dos 1",
	  .commands = "align all",
	  .expect = "" },
	{ .say = "align all without a table",
	  .words = "2097152 512 none",
	  .commands = "align all",
	  .code = AF_E_RULE,
	  .text = "there is no partition table: make one with 'label gpt' or 'label dos'" },
};

static void test_edit__resize(void **state)
{
	(void)state;
	RUN_ALL(resize_table);
}

static void test_edit__move_and_align(void **state)
{
	(void)state;
	RUN_ALL(move_table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edit__resize),
		cmocka_unit_test(test_edit__move_and_align),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
