#!/bin/sh
# Partitions of an MBR are where Linux finds them, and numbered as there, whatever their chain looks like.
set -u
. tests/vm/bed/boot.inc

# Disk $1 by the recipe that follows, a device $2 of qemu.
disk() {
	name=$1 device=$2
	shift 2
	"$MKDISK" "$vm_work/$name.img" "$@" || exit 1
	vm_qemu="$vm_qemu -drive if=none,id=$name,format=raw,file=$vm_work/$name.img"
	vm_qemu="$vm_qemu -device virtio-blk-pci,drive=$name,serial=$name$device"
}

# Words for $1 EBRs without a partition and one with a partition behind them, from number 6 on.
idle() {
	n=0
	while [ "$n" -lt "$1" ]; do
		echo "l$((6 + n))=$((5000 + n))+0,83,ebr=$((4000 + n))"
		n=$((n + 1))
	done
	echo "l$((6 + n))=6000+100,83,ebr=5500"
}

small='262144 512 dos 0x1'
chain='e1=2048+200000,5 l5=2111+1000,83,ebr=2048 l6=10063+1000,83,ebr=10000 l7=20063+1000,83,ebr=20000'
set -f
# shellcheck disable=SC2046,SC2086 # recipes are words
{
	disk empty-head '' $small p1=210000+1000,83 e2=2048+200000,5 l5=2111+0,83,ebr=2048 l6=10063+1000,83,ebr=10000 \
		l7=30001+1000,83,ebr=30000 l8=20001+1000,83,ebr=20000
	disk no-signature '' $small $chain poke=10240510,0000
	disk no-head '' $small $chain poke=1049086,0000
	# a link, two partitions and one that is not believed
	disk any-order '' $small $chain poke=5120446,00000000050000002046000027040000000000008300000\
03f000000e803000000000000070000000a00000014000000000000008300000009000000ffff0f00
	disk two-extended '' $small e1=100000+50000,5 l5=100063+1000,83,ebr=100000 poke=462,000000000f00000000080000e8800000 \
		poke=1049022,00000000070000003f00000064000000 poke=1049086,55aa
	disk idle-99 '' $small e1=2048+200000,5 l5=2111+100,83,ebr=2048 $(idle 99)
	disk idle-100 '' $small e1=2048+200000,5 l5=2111+100,83,ebr=2048 $(idle 100)
	disk beyond '' $small p1=2048+1000,83 p2=200000+100000,83 p3=300000+1000,83 e4=4096+1000,5 l5=4100+9000000,83,ebr=4096
	disk no-sectors '' $small e1=2048+0,5 p2=4096+1000,83
	disk many '' dos1000
	disk sectors-4k ,logical_block_size=4096,physical_block_size=4096 32768 4096 dos 0x1 e1=256+30000,85 \
		l5=257+100,83,ebr=256 l6=1063+100,83,ebr=1000 l7=3063+100,83,ebr=3000
}
set +f
vm_boot chains
