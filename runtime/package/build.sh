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
# A compiler cache or other flags of this shell change no package.
unset CFLAGS CPPFLAGS CXXFLAGS LDFLAGS DEB_BUILD_OPTIONS CMAKE_BUILD_TYPE CMAKE_GENERATOR
LC_ALL=C.UTF-8
export LC_ALL

fail() {
    printf 'package: %s\n' "$*" >&2
    exit 1
}

# `build FOLDER`: FOLDER/*.deb, from the files that git lists; of all that are not in build/ where this is no repository.
build() {
    rm -rf "$1"
    mkdir -p "$1/kifu-$upstream"
    (
        cd "$source"
        git ls-files -z --cached --others --exclude-standard 2>/dev/null ||
            find . \( -path ./build -o -path ./.git -o -name __pycache__ \) -prune -o -type f -print0
    ) | LC_ALL=C sort -zu >"$1/files"
    (cd "$source" && tar --create --null --files-from="$1/files" --ignore-failed-read 2>/dev/null) | tar -x -C "$1/kifu-$upstream"
    tar --create --gzip --directory "$1" --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u=rwX \
        --mtime="@$SOURCE_DATE_EPOCH" --file "$1/kifu_$upstream.orig.tar.gz" "kifu-$upstream"
    cp -R "$debian" "$1/kifu-$upstream/debian"
    (cd "$1/kifu-$upstream" && dpkg-buildpackage -us -uc) >"$1/log" 2>&1 ||
        { tail -n 40 "$1/log" >&2; fail "dpkg-buildpackage failed: $1/log"; }
}

rm -f "$output"/*.deb
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
