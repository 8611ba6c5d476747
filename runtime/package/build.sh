#!/bin/sh
# `./dev package`: the Debian packages. Builds them in two folders, compares the bytes, and asks lintian.
#   runtime/package/build.sh FOLDER     the packages are FOLDER/*.deb
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
output=$(cd "$1" && pwd)
debian=$source/runtime/package/debian
upstream=$(dpkg-parsechangelog -l "$debian/changelog" -S Version | sed 's/-[^-]*$//')
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -l "$debian/changelog" -S Timestamp)
export SOURCE_DATE_EPOCH
# What this shell says of compilers changes no package.
unset CFLAGS CPPFLAGS CXXFLAGS LDFLAGS DEB_BUILD_OPTIONS CMAKE_BUILD_TYPE CMAKE_GENERATOR
LC_ALL=C.UTF-8
export LC_ALL

fail() {
    printf 'package: %s\n' "$*" >&2
    exit 1
}

# The sources: the files that git lists, and new ones; where this is no repository, all that was not built.
pack_sources() {
    mkdir -p "$output/kifu-$upstream"
    (
        cd "$source"
        if ! git -c safe.directory='*' ls-files -z --cached --others --exclude-standard 2>/dev/null; then
            find . \( -path ./build -o -path ./.git -o -name __pycache__ \) -prune -o -type f -print0
        fi | xargs -0 sh -c 'for file; do [ ! -f "$file" ] || printf "%s\0" "$file"; done' sh |
            tar --create --null --files-from=- --file=-
    ) | tar --extract --file=- --directory="$output/kifu-$upstream"
    tar --create --gzip --directory="$output" --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u=rwX \
        --mtime="@$SOURCE_DATE_EPOCH" --file="$output/kifu_$upstream.orig.tar.gz" "kifu-$upstream"
    rm -r "$output/kifu-$upstream"
}

# `build FOLDER`: FOLDER/*.deb
build() {
    mkdir -p "$1"
    cp "$output/kifu_$upstream.orig.tar.gz" "$1"
    tar --extract --file="$1/kifu_$upstream.orig.tar.gz" --directory="$1"
    cp -R "$1/kifu-$upstream/runtime/package/debian" "$1/kifu-$upstream"
    if ! (cd "$1/kifu-$upstream" && dpkg-buildpackage -us -uc) >"$1/log" 2>&1; then
        tail -n 40 "$1/log" >&2
        fail "dpkg-buildpackage failed: $1/log"
    fi
}

rm -rf "$output"/*.deb "$output"/kifu* "$output/one" "$output/another"
pack_sources
printf 'Building the packages …\n'
build "$output/one"
printf 'Building them again, in another folder …\n'
build "$output/another/folder"
for package in "$output"/one/*.deb; do
    cmp "$package" "$output/another/folder/${package##*/}" || fail "built in another folder, ${package##*/} has other bytes"
done
printf 'Both times they have the same bytes. lintian …\n'
lintian --fail-on error,warning --allow-root "$output"/one/*.changes || fail "lintian finds faults"
cp "$output"/one/*.deb "$output"
(cd "$output" && wc -c -- *.deb)
