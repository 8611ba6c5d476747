#!/bin/sh
# `./dev package`: installs the packages on a fresh minimal Debian, in a folder, and builds and plays the games of README.md
# there. As root.
#   runtime/package/try.sh FOLDER     FOLDER/*.deb are the packages
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
packages=$(cd "$1" && pwd)
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-cache policy libc6 | awk '/ http/ { print $2; exit }')
log=$packages/fresh.log

# What apt was told here about the way to its servers, the new system's apt must know, too.
apt-config dump | grep '^Acquire::https*::' >"$packages/apt.conf" || :
set --
for package in "$packages"/*.deb; do
    case $package in
    *-dbgsym_*) ;;
    *) set -- "$@" "$package" ;;
    esac
done

printf 'Installing them on a fresh %s, and playing there …\n' "$suite"
if ! mmdebstrap --variant=apt --format=null --aptopt="$packages/apt.conf" \
    --include=ca-certificates,cmake,gcc,libc6-dev,make,pkg-config \
    --customize-hook='mkdir "$1/packages"' \
    --customize-hook="copy-in $* /packages" \
    --customize-hook="copy-in $source/examples/nim $source/runtime/package/play.sh /root" \
    --customize-hook='chroot "$1" sh -c "apt-get install -y --no-install-recommends /packages/*.deb"' \
    --customize-hook='chroot "$1" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/bin:/bin sh /root/play.sh' \
    "$suite" /dev/null "$mirror" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    printf 'package: this failed on a fresh system: %s\n' "$log" >&2
    exit 1
fi
sed -n 's/^played: //p' "$log"
