#!/bin/sh
# Installs Forage from the folder of this script, or removes it. It is part of the tarball, so that the files of an
# earlier version go and no file of another program does, which a copy by hand does not see to. A program that does not
# run on this system is not installed.
set -eu
unset CDPATH

usage() {
  cat <<'TEXT'
usage: ./install.sh [--remove] [PREFIX]

Forage also runs from where it is unpacked: bin/forage. This copies bin, libexec and share to PREFIX (/usr/local), or removes with --remove what it copied there.
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

# A C library that is too old, or another processor: nothing is installed that does not run.
if [ -z "$remove" ] && ! reason=$("$from/bin/forage" --version 2>&1); then
  printf 'forage: the program does not run on this system: %s\nhint: it needs glibc 2.35 or later (Ubuntu 22.04, Debian 12); build it from source\n' "$reason" >&2
  exit 2
fi
if [ -n "$remove" ]; then
  if ! [ -e "$prefix/bin/forage" ] && ! [ -d "$prefix/share/forage" ]; then
    echo "forage: it is not installed in $prefix" >&2
    exit 1
  fi
else
  mkdir -p "$prefix" 2>/dev/null || true
fi
place=$(cd "$prefix" 2>/dev/null && pwd -P) || place=
case $place/ in
"$from"/*)
  rmdir "$place" 2>/dev/null || true
  printf 'forage: %s is in the folder where this is unpacked\nhint: it runs from there: %s/bin/forage\n' "$prefix" "$from" >&2
  exit 2
  ;;
esac
for folder in bin libexec share; do
  [ -n "$remove" ] || mkdir -p "$place/$folder" 2>/dev/null || true
  if [ -z "$place" ] || ! [ -w "$place/$folder" ] && { [ -z "$remove" ] || [ -e "$place/$folder" ]; }; then
    printf 'forage: %s cannot be written\nhint: use sudo, or name a folder of your own: ./install.sh ~/.local\n' "$prefix/$folder" >&2
    exit 2
  fi
done
prefix=$place

# What is only Forage's: what an earlier version had and this one has not must not stay.
rm -rf "$prefix/libexec/forage" "$prefix/share/forage" "$prefix/share/doc/forage"
# The other folders are somebody's: they are neither removed nor changed.
(cd "$from" && find bin libexec share ! -type d) | while read -r file; do
  if [ -n "$remove" ]; then
    rm -f "$prefix/$file"
  else
    mkdir -p "$prefix/$(dirname "$file")"
    rm -f "$prefix/$file"
    cp -pP "$from/$file" "$prefix/$file"
  fi
done
if [ -n "$remove" ]; then
  echo "forage: removed from $prefix; settings and data are still in ~/.config/forage, ~/.local/share/forage, ~/.local/state/forage and ~/.cache/forage" >&2
  exit
fi
echo "forage: installed in $prefix" >&2
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "hint: add it to the path: export PATH=\"$prefix/bin:\$PATH\"" >&2 ;;
esac
functions=$prefix/share/zsh/site-functions
if command -v zsh >/dev/null && ! zsh -fc 'print -l $fpath' | grep -qxF "$functions"; then
  echo "hint: for completion in zsh, add before compinit: fpath=(\"$functions\" \$fpath)" >&2
fi
