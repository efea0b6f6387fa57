#!/bin/sh
# Installs Forage from the folder of this script, or removes it.
set -eu
unset CDPATH

usage() {
  cat <<'TEXT'
usage: ./install.sh [--remove] [PREFIX]

Copies bin, libexec and share to PREFIX (/usr/local), or removes with --remove what it copied there.
TEXT
}

remove=
case ${1-} in
-h | --help) usage && exit ;;
--remove) remove=yes && shift ;;
esac
prefix=${1-/usr/local}
case $prefix in
'' | -*) usage >&2 && exit 2 ;;
esac
if [ $# -gt 1 ]; then usage >&2 && exit 2; fi
from=$(cd "$(dirname "$0")" && pwd -P)
for folder in bin libexec share; do
  [ -d "$from/$folder" ] || { printf 'forage: %s is not there\nhint: unpack the tarball again\n' "$from/$folder" >&2 && exit 2; }
done

if [ -z "$remove" ] && { ! mkdir -p "$prefix/bin" 2>/dev/null || ! [ -w "$prefix/bin" ]; }; then
  printf 'forage: %s cannot be written\nhint: name a folder of your own: ./install.sh ~/.local\n' "$prefix" >&2
  exit 2
fi
prefix=$(cd "$prefix" && pwd -P)
if [ "$prefix" = "$from" ]; then
  printf 'forage: %s is where this is unpacked\nhint: it runs from there: %s/bin/forage\n' "$from" "$from" >&2
  exit 2
fi

# What is only Forage's: what an earlier version had and this one has not must not stay.
rm -rf "$prefix/libexec/forage" "$prefix/share/forage" "$prefix/share/doc/forage"
# The other folders are somebody's: they are neither removed nor changed.
(cd "$from" && find bin libexec share -type f) | while read -r file; do
  if [ -n "$remove" ]; then
    rm -f "$prefix/$file"
  else
    mkdir -p "$prefix/$(dirname "$file")"
    rm -f "$prefix/$file"
    cp -p "$from/$file" "$prefix/$file"
  fi
done
if [ -n "$remove" ]; then
  echo "forage: removed from $prefix; your settings and data are still there (see: FILES in the manual)" >&2
  exit
fi
echo "forage: installed in $prefix" >&2
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "hint: add it to the path: export PATH=\"$prefix/bin:\$PATH\"" >&2 ;;
esac
