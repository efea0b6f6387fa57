#!/bin/sh
# Type-checks the sources of this package against the modules that the build of Forage has made, but without Forage's
# package name: what passes needs nothing but public declarations. It takes seconds, as nothing is compiled anew. It does
# not prove that the products name their targets, nor that the programs link; `make outside` does.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
modules=$root/.build/debug/Modules
flags=$root/.build/c-modules.flags
made=$root/.build/outside-modules
swiftc=${SWIFTC:-swiftc}

# Modules in C that Forage's modules import must be found too; the command that compiled the program names them all.
grep '"-module-name","forage"' "$root/.build/debug.yaml" | grep -o '"-Xcc","[^"]*"' | tr ',' '\n' > "$flags"
test -s "$flags" || {
  printf 'forage: no build of the program was found\nhint: run make test, or build this package with make outside\n' >&2
  exit 2
}

rm -rf "$made" && mkdir -p "$made"
# Compiles a target of this package as far as its module: FOLDER
check() {
  name=$(echo "$1" | tr - _)
  find -L "Sources/$1" -name '*.swift' > "$made/$name.sources"
  "$swiftc" -emit-module -emit-module-path "$made/$name.swiftmodule" -module-name "$name" -package-name outside \
    -swift-version 6 -warnings-as-errors -parse-as-library -wmo -I "$modules" "@$flags" "@$made/$name.sources"
}
check Examples
check bookshelf-plugin
check inspect-clone
check hackernews-plugin
# check search-everywhere
