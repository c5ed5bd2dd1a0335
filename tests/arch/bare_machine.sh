#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Proves the promise of the README on a machine that has nothing but git: makes one with debootstrap, clones
# the committed tree into it and runs ./dev test and ./dev run there, without a display.
#
#   sudo tests/arch/bare_machine.sh FOLDER [SUITE [KEYRING]]     SUITE: bookworm (default) or noble
#
# KEYRING: the archive's keys, where debootstrap does not find them by itself (Ubuntu's on a Debian machine).
# Needs root, debootstrap, network and about 6 GB in FOLDER. Not part of ./dev test: it takes an hour on a
# small machine. FOLDER is kept; run it again to use the installed packages once more.
set -euo pipefail

[ $# -ge 1 ] || { sed -n '4,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || { echo "bare_machine.sh: only root can make a machine: use sudo." >&2; exit 2; }

folder=$1
suite=${2:-bookworm}
options=(--variant=minbase --include=git)
[ -z "${3:-}" ] || options+=("--keyring=$3")
case $suite in
noble) # debootstrap of Debian 12 is older than noble; all of Ubuntu's suites share one recipe
    recipe=(http://archive.ubuntu.com/ubuntu gutsy) options+=(--components=main,universe) ;;
*) recipe=(http://deb.debian.org/debian) ;;
esac
project=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)

if [ ! -f "$folder/.ready" ]; then
    debootstrap "${options[@]}" "$suite" "$folder" "${recipe[@]}"
    touch "$folder/.ready"
fi
cp /etc/resolv.conf "$folder/etc/resolv.conf"

# Packages must not start services in there, and the kernel's file systems end with this script.
printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
chmod +x "$folder/usr/sbin/policy-rc.d"
mounted=()
leave() {
    local at
    for at in "${mounted[@]}"; do umount "$at" || umount --lazy "$at"; done
}
trap leave EXIT
mount -t proc proc "$folder/proc" && mounted+=("$folder/proc")
mount -t tmpfs tmpfs "$folder/dev/shm" && mounted+=("$folder/dev/shm")
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$folder/dev/pts" && mounted+=("$folder/dev/pts")

rm -rf "$folder/root/plumbline"
git clone --quiet --no-local "$project" "$folder/root/plumbline"

inside() {
    chroot "$folder" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        bash -c "cd /root/plumbline && $1"
}
for command in "./dev test" "./dev run"; do
    echo "== $suite: $command"
    started=$SECONDS
    inside "$command"
    echo "== $suite: $command: done in $((SECONDS - started)) s"
done
