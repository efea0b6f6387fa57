#!/bin/sh
# Installs Forage from the folder of this script, or removes it.
set -eu

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
-*) usage >&2 && exit 2 ;;
esac
if [ $# -gt 1 ]; then usage >&2 && exit 2; fi
from=$(cd "$(dirname "$0")" && pwd)

if [ "$(cd "$prefix" 2>/dev/null && pwd)" = "$from" ]; then
  printf 'forage: %s is where this is unpacked\nhint: it runs from there: %s/bin/forage\n' "$from" "$from" >&2
  exit 2
fi

if [ -n "$remove" ]; then
  rm -rf "$prefix/libexec/forage" "$prefix/share/forage" "$prefix/share/doc/forage"
  (cd "$from" && find bin share -type f ! -path 'share/forage/*' ! -path 'share/doc/*') | while read -r file; do
    rm -f "$prefix/$file"
  done
  # Folders that are empty now: others may use them.
  (cd "$from" && find bin libexec share -depth -type d) | while read -r folder; do
    rmdir "$prefix/$folder" 2>/dev/null || true
  done
  echo "forage: removed from $prefix; your settings and data are still there (see: FILES in the manual)" >&2
  exit
fi

if ! mkdir -p "$prefix/bin" 2>/dev/null || ! [ -w "$prefix/bin" ]; then
  printf 'forage: %s cannot be written\nhint: name a folder of your own: ./install.sh ~/.local\n' "$prefix" >&2
  exit 2
fi
prefix=$(cd "$prefix" && pwd)
# What an earlier version had and this one has not must not stay.
rm -rf "$prefix/libexec/forage" "$prefix/share/forage"
(cd "$from" && tar -cf - bin libexec share) | (cd "$prefix" && tar -xof -)
echo "forage: installed in $prefix" >&2
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "hint: add it to the path: export PATH=\"$prefix/bin:\$PATH\"" >&2 ;;
esac
