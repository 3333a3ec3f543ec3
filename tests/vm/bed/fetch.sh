#!/bin/sh
# Fetches what the virtual machines of tests/vm boot: Debian's kernel for clouds and a few of its modules,
# downloaded and unpacked, never installed. Needs no root, unless the lists of packages are missing.
#
#   sh tests/vm/bed/fetch.sh FOLDER
#
#   FOLDER/kernel            what qemu boots
#   FOLDER/modules/*.ko
#   FOLDER/modules/list      a line for each module of the list below: its name and the files to load, in this order
#   FOLDER/why-not           why there is none of that; the tests are skipped with that reason
#
# What is there already is kept. Always succeeds: without a network all other tests can run.
set -u
PATH=$PATH:/usr/sbin:/sbin
modules="virtio_pci virtio_blk virtio_scsi sd_mod scsi_debug loop dm_mod dm_flakey dm_log_writes nbd raid1"
to=$1
mine=$(cksum <"$0")
[ "$(cat "$to/for" 2>/dev/null)" != "$mine" ] || exit 0

give_up() {
	echo "$1" >"$to/why-not"
	echo "the tests in virtual machines will be skipped: $1"
	exit 0
}

rm -rf "${to:?}"
mkdir -p "$to/new/modules" || exit 0
[ "$(uname -m)" = x86_64 ] || give_up "they need an x86_64 machine"
for program in apt-get apt-cache dpkg-deb modprobe depmod; do
	command -v $program >/dev/null || give_up "no $program here, which fetches a kernel for them"
done

# The package that the newest kernel is in: its name changes with each release.
package() {
	apt-cache depends linux-image-cloud-amd64 2>/dev/null |
		sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1
}

# Leaves the package in the new folder.
download() {
	name=$(package)
	[ -n "$name" ] && (cd "$to/new" && timeout 300 apt-get -q -o Acquire::Retries=1 download "$name" >log 2>&1)
}

# Lists of packages that are missing, or too old to know what can be downloaded still.
update() {
	if [ "$(id -u)" -eq 0 ]; then
		timeout 300 apt-get -q update
	else
		command -v sudo >/dev/null && timeout 300 sudo -n apt-get -q update
	fi >"$to/new/log" 2>&1
}

download || { update && download; } ||
	give_up "cannot download a kernel for them: $(grep '^E:' "$to/new/log" 2>/dev/null | tail -n 1)"
dpkg-deb --fsys-tarfile "$to"/new/linux-image-*.deb | tar -x -C "$to/new" ./boot ./lib/modules ||
	give_up "cannot unpack the kernel for them"
release=$(ls "$to/new/lib/modules")
depmod -b "$to/new" "$release"
for module in $modules; do
	files=$(modprobe -d "$to/new" -S "$release" --show-depends "$module" | sed -n 's/^insmod \([^ ]*\).*/\1/p') ||
		give_up "the kernel for them has no module $module"
	names=
	for file in $files; do
		cp "$file" "$to/new/modules" || give_up "cannot copy the modules for them"
		names="$names ${file##*/}"
	done
	echo "$module$names" >>"$to/new/modules/list"
done
mv "$to"/new/boot/vmlinuz-* "$to/kernel" && mv "$to/new/modules" "$to/modules" &&
	rm -rf "$to/new" && echo "$mine" >"$to/for"
