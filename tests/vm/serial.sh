#!/bin/sh
# A serial console: the editor on the first serial line of a machine, and a person at its other end.
# shellcheck source=tests/vm/bed/boot.inc
set -u
. tests/vm/bed/boot.inc
"$MKDISK" "$vm_work/disk.img" seed || exit 1
vm_qemu="-drive if=none,id=it,format=raw,file=$vm_work/disk.img -device virtio-blk-pci,drive=it,serial=it"
for type in v/vt100 l/linux; do
	for folder in /lib/terminfo /usr/share/terminfo /etc/terminfo; do
		[ ! -e "$folder/$type" ] || vm_files="$vm_files $folder/$type:$folder/$type"
	done
done
locale=/usr/lib/locale/C.utf8/LC_CTYPE
[ ! -e $locale ] || vm_files="$vm_files $locale:$locale"
mkfifo "$vm_work/line.in" "$vm_work/line.out"
vm_console=pipe:$vm_work/line

# Waits until TEXT has come over the line since the last keys.
comes() {
	until tail -c "+$((seen + 1))" "$vm_work/console" | LC_ALL=C grep -qF -- "$1"; do
		sleep 0.1
	done
}

# Types KEYS, and forgets what came before.
types() {
	seen=$(wc -c <"$vm_work/console")
	printf '%b' "$1" >"$vm_work/line.in"
}

# One person's work: sees the disk, goes down, deletes what is there, takes that back, and leaves.
work() {
	comes 'Label: dos, identifier 0x10bd10bc' && comes 'all keys' && types j &&
		comes 'both edges are' && types d &&
		comes 'done: delete' && types '\032' &&
		comes 'undone: ' && types q
}

person() {
	seen=0
	work && cp "$vm_work/console" "$vm_work/vt100" && work
}

: >"$vm_work/console"
cat "$vm_work/line.out" >"$vm_work/console" &
copying=$!
person &
working=$!
vm_boot serial
kill "$working" 2>/dev/null # who may wait for an answer that never came
wait $copying

# tell NAME COMMAND...: the test NAME holds if the command succeeds.
tell() {
	name=$1
	shift
	if "$@"; then
		echo "ok vm: $name"
	else
		echo "not ok vm: $name"
	fi
}

is_plain() {
	[ -e "$vm_work/vt100" ] || return 1
	! tr -d '\000-\177' <"$vm_work/vt100" | grep -q .
}

wants_no_mouse() {
	! LC_ALL=C grep -qF '[?1002' "$vm_work/console"
}

tell "every key was answered" wait $working
tell "vt100: nothing but ASCII" is_plain
tell "no mouse is asked for" wants_no_mouse
