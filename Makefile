# `make demo` demonstrates Forage, `make test` tests it. Both install what they need.
# All build products are in .build.

PREFIX ?= /usr/local
SWIFT ?= swift
APT_PACKAGES := libcurl4-openssl-dev libgit2-dev libpcre2-dev libsqlite3-dev libssl-dev pkg-config ripgrep zlib1g-dev
OS := $(shell uname -s)

# One release build has the programs and the tests. The programs link the Swift runtime statically, without unused code, so
# that they start fast and are self-contained; the tests cannot, because Swift's testing library is shared.
# All have a fixed address, as Go's programs have, which saves relocations at each start. PIE=1 makes them position-independent.
ifeq ($(OS),Linux)
  # Without the name of this folder and hashes of it, which would make programs of the same sources differ.
  NAMELESS := -ffile-prefix-map='$(CURDIR)/'=
  RELEASE_FLAGS := --disable-local-rpath -debug-info-format none -Xswiftc -use-ld=lld $(if $(PIE),,-Xlinker --no-pie) \
    -Xcc $(NAMELESS) -Xcxx $(NAMELESS) -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
  RUNTIME := $(shell $(SWIFT)c -static-stdlib -print-target-info 2>/dev/null | sed -n '/"runtimeLibraryPaths"/{n;s/.*"\(.*\)".*/\1/p;q}')
  LINK := $(patsubst $(RUNTIME)/libswiftCore.a,-static-stdlib,$(wildcard $(RUNTIME)/libswiftCore.a)) \
    $(patsubst $(RUNTIME)/lib%.a,-l%,$(wildcard $(RUNTIME)/*.a)) \
    $(addprefix -Xlinker ,-s --gc-sections --icf=safe --no-export-dynamic)
endif
FORAGE = .build/release/forage

# The dependencies of libgit2 1.5 and the C++ runtime are linked statically if all archives are installed: loading shared
# libraries takes a third of the start-up time. Kerberos has no archive; libgit2 uses it only to log in to proxies and
# servers, and Forage opens no connections through libgit2, so its symbols may be absent. libssl is for the server of the
# tests: an archive as libcrypto is, so that no program mixes an archive of one with the shared library of the other.
ARCHIVES := $(CURDIR)/.build/archives
LIBDIR = $(shell pkg-config --variable=libdir libgit2 2>/dev/null)
GCCDIR = $(shell ls -dv /usr/lib/gcc/$$(uname -m)-linux-gnu/*/ 2>/dev/null | tail -n 1)
GIT2_LIBS := git2 mbedtls mbedx509 mbedcrypto http_parser ssh2 ssl crypto pcre2-8 z
GSS := delete_sec_context display_status import_name indicate_mechs init_sec_context release_buffer release_name release_oid_set
ifeq ($(OS),Linux)
  CAN_ARCHIVE = $(shell pkg-config --modversion libgit2 2>/dev/null | grep -q '^1[.]5[.]' && \
    for name in $(GIT2_LIBS) sqlite3; do test -e $(LIBDIR)/lib$$name.a || exit; done && \
    test -e $(GCCDIR)libstdc++.a && test -e $(GCCDIR)libgcc_eh.a && echo yes)
endif
# libgit2 would prepare TLS and SSH at each start (see Sources/ForageGit/NetworkSetup.swift).
# The first build in a folder links a shared library of GRDB, too, which archives allow only with -Bsymbolic; it changes no program.
ARCHIVE_FLAGS := -Xswiftc -L'$(ARCHIVES)' -Xlinker --wrap=git_mbedtls_stream_global_init -Xlinker --wrap=git_transport_ssh_global_init -Xlinker --as-needed -Xlinker -Bsymbolic -Xlinker --defsym=GSS_C_NT_HOSTBASED_SERVICE=0 $(GSS:%=-Xlinker --defsym=gss_%=0)
# The commit, for `forage --version`.
COMMIT = $(shell git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null)
RELEASE = FORAGE_COMMIT='$(COMMIT)' FORAGE_TESTABLE=1 FORAGE_LINK='$(LINK)' $(if $(CAN_ARCHIVE),PKG_CONFIG_PATH='$(ARCHIVES)') $(SWIFT) build -c release $(RELEASE_FLAGS) $(if $(CAN_ARCHIVE),$(ARCHIVE_FLAGS))

.PHONY: help demo test test-first test-program test-parts test-outside outside docs fuzz build program lint format bench bench-huge
.PHONY: verify-inspect verify-code verify-grep relevance picture license-list
.PHONY: install uninstall dist check-dist deb notes packaged clean setup archives

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 26

setup: ## install build dependencies (Debian; elsewhere lists them)
	@command -v $(SWIFT) >/dev/null || { printf 'forage: Swift 6.2 or later is required\nhint: install it from https://www.swift.org/install\n' >&2; exit 2; }
	@$(SWIFT) --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1 | { \
	  read major minor; \
	  if [ "$${major:-0}" -lt 6 ] || { [ "$$major" -eq 6 ] && [ "$$minor" -lt 2 ]; }; then \
	    printf 'forage: Swift 6.2 or later is required, but this is %s.%s\nhint: install it from https://www.swift.org/install\n' "$${major:-?}" "$${minor:-?}" >&2; exit 2; fi; }
	@if command -v pkg-config >/dev/null && command -v rg >/dev/null && pkg-config --exists libcurl libgit2 libpcre2-8 sqlite3 libssl zlib; then :; \
	elif command -v apt-get >/dev/null; then \
	  echo "forage: installing $(APT_PACKAGES)"; \
	  if [ "$$(id -u)" -eq 0 ]; then sudo=; \
	  elif command -v sudo >/dev/null; then sudo=sudo; \
	  else printf 'forage: packages are missing: %s\nhint: as root, run: apt-get install %s\n' '$(APT_PACKAGES)' '$(APT_PACKAGES)' >&2; exit 2; fi; \
	  $$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq $(APT_PACKAGES) >/dev/null \
	    || { printf 'forage: the packages could not be installed\nhint: install them manually: %s\n' '$(APT_PACKAGES)' >&2; exit 2; }; \
	else \
	  echo "forage: libcurl, libgit2, PCRE2, SQLite, OpenSSL and zlib with their headers, pkg-config and ripgrep are required" >&2; \
	  echo "hint: on Debian install $(APT_PACKAGES); on macOS run: brew install libgit2 pcre2 sqlite openssl zlib pkg-config ripgrep" >&2; exit 2; \
	fi

# A folder that contains only archives; the linker searches it before the shared libraries.
archives: setup
	@if [ -n '$(CAN_ARCHIVE)' ]; then \
	  mkdir -p '$(ARCHIVES)'; \
	  for name in $(GIT2_LIBS) sqlite3; do ln -sf '$(LIBDIR)'/lib$$name.a '$(ARCHIVES)'; done; \
	  ln -sf '$(GCCDIR)libstdc++.a' '$(ARCHIVES)'; \
	  ln -sf '$(GCCDIR)libgcc_eh.a' '$(ARCHIVES)/libgcc_s.a'; \
	  for package in libgit2 libpcre2-8 libssl zlib; do \
	    { echo "Name: $$package"; echo 'Description: the library and its dependencies as archives'; \
	      echo "Version: $$(pkg-config --modversion $$package)"; \
	      echo "Libs: -L$(ARCHIVES) $(GIT2_LIBS:%=-l%)"; } > "$(ARCHIVES)/$$package.pc"; \
	  done; \
	fi

build: program ## build the release binaries
	$(RELEASE) --product $(HACKERNEWS)

program: archives
	$(RELEASE) --product forage

DEMO_HOME := $(CURDIR)/.build/demo
DEMO = HOME='$(DEMO_HOME)' XDG_CONFIG_HOME= XDG_DATA_HOME= XDG_CACHE_HOME= XDG_STATE_HOME= PATH="$(CURDIR)/.build/release:$$PATH"

demo: program ## demonstrate the program in a separate home directory
	@rm -rf '$(DEMO_HOME)' && mkdir -p '$(DEMO_HOME)'
	@for command in \
	  'forage clones add .build/checkouts .' \
	  'forage search "parser language:swift"' \
	  'forage inspect .build/checkouts/GRDB.swift' \
	  'forage show groue/GRDB.swift'; do \
	  printf '\n$$ %s\n' "$$command"; \
	  env $(DEMO) sh -c "$$command" || exit $$?; \
	done

# The tests are part of the release build, so they test the programs that are installed. CONFIGURATION=debug compiles faster
# after a change, and checks memory that is accessed through pointers.
# They run in three processes, because those of the program often wait; failures are repeated at the end. On Linux the tests
# are an executable; elsewhere `swift test` runs them sequentially.
CONFIGURATION ?= release
ifeq ($(filter debug release,$(CONFIGURATION)),)
  $(error CONFIGURATION is debug or release)
endif
BUILD = $(if $(filter debug,$(CONFIGURATION)),$(SWIFT) build,$(RELEASE))
TESTS = .build/$(CONFIGURATION)/foragePackageTests.xctest
RUN_TESTS = $(if $(shell test -f $(TESTS) && echo yes),$(TESTS) --testing-library swift-testing,$(SWIFT) test -c $(CONFIGURATION) --skip-build) --no-parallel
PROGRAM_TESTS := ^(IntegrationTests|PluginTests|HackerNewsTests)[.]
FIRST_OF_PROGRAM := ^IntegrationTests[.][A-G]
define run-tests
	@$(RUN_TESTS) $(1) > .build/$@.log 2>&1; status=$$?; \
	cat .build/$@.log; [ $$status = 0 ] || grep '^✘' .build/$@.log; exit $$status
endef

test: archives ## run all tests
	$(BUILD) --build-tests
	@$(MAKE) --no-print-directory --jobs=3 --keep-going --output-sync=target test-first test-program test-parts test-outside

test-first:
	$(call run-tests,--filter '$(FIRST_OF_PROGRAM)')

test-program:
	$(call run-tests,--filter '$(PROGRAM_TESTS)' --skip '$(FIRST_OF_PROGRAM)')

test-parts:
	$(call run-tests,--skip '$(PROGRAM_TESTS)')

# The package in Tests/Outside depends on this one and uses what is public. `make test` compiles its targets as far as
# their modules, against the modules that are built anyway but without this package's name: that takes seconds, and proves
# that public declarations suffice. Only `make outside` proves that the products contain what their users import and that
# the programs link; it compiles everything anew.
OUTSIDE := Examples bookshelf-plugin inspect-clone hackernews-plugin search-everywhere
OUTSIDE_MODULES := .build/outside-modules
MODULES = .build/$(CONFIGURATION)/Modules
# Modules import modules in C; the command that compiled the program names all of them.
C_MODULES := .build/c-modules.flags
define find-c-modules
	@grep '"-module-name","ForageCLI"' .build/$(CONFIGURATION).yaml | grep -o '"-Xcc","[^"]*"' | tr ',' '\n' > $(C_MODULES); \
	test -s $(C_MODULES) || { printf 'forage: .build/$(CONFIGURATION).yaml names no modules in C\nhint: run make outside instead\n' >&2; exit 2; }
endef

test-outside:
	$(find-c-modules)
	@rm -rf $(OUTSIDE_MODULES) && mkdir -p $(OUTSIDE_MODULES)
	@set -e; for target in $(OUTSIDE); do \
	  name=$(OUTSIDE_MODULES)/$$(echo $$target | tr - _); \
	  find -L Tests/Outside/Sources/$$target -name '*.swift' > $$name.sources; \
	  $(SWIFT)c -emit-module -emit-module-path $$name.swiftmodule -module-name $$(basename $$name) -package-name outside \
	    -swift-version 6 -warnings-as-errors -parse-as-library -wmo -I $(MODULES) @$(C_MODULES) @$$name.sources; \
	done

outside: setup ## build the package in Tests/Outside, which uses the libraries as any program does
	$(SWIFT) build --package-path Tests/Outside --scratch-path .build/outside

# The libraries that programs outside may import; each has a documentation catalogue.
LIBRARIES := $(shell sed -n 's/^    [.]library.name: "\([A-Za-z]*\)".*/\1/p' Package.swift)
DOCC ?= $(if $(filter Darwin,$(OS)),xcrun docc,docc)
TRIPLE = $(shell $(SWIFT)c -print-target-info | sed -n 's/.*"triple": "\(.*\)",*/\1/p' | head -n 1)
SDK_PATH = $(if $(filter Darwin,$(OS)),-sdk $(shell xcrun --show-sdk-path))

docs: override CONFIGURATION = release
docs: build ## build the documentation of the libraries into .build/docs; warnings are errors
	$(find-c-modules)
	@rm -rf .build/docs
	@set -e; for library in $(LIBRARIES); do \
	  mkdir -p .build/docs/$$library.symbols; \
	  $(SWIFT) symbolgraph-extract -module-name $$library -target $(TRIPLE) $(SDK_PATH) -I $(MODULES) @$(C_MODULES) \
	    -minimum-access-level public -skip-inherited-docs -emit-extension-block-symbols \
	    -output-dir .build/docs/$$library.symbols; \
	  $(DOCC) convert Sources/$$library/$$library.docc --additional-symbol-graph-dir .build/docs/$$library.symbols \
	    --fallback-display-name $$library --fallback-bundle-identifier $$library \
	    --output-path .build/docs/$$library.doccarchive --warnings-as-errors; \
	done

# The number of inputs of each type, of damaged repositories, and of runs of the property tests, each with new seeds. A failing
# test prints its seed, and FORAGE_TEST_SEED repeats it: `make test` uses the same seeds each time.
FUZZ_INPUTS ?= 1000000
FUZZ_REPOSITORIES ?= 3000
FUZZ_RUNS ?= 10
FUZZ_SEED = $(or $(FORAGE_TEST_SEED),random)
PROPERTY_TESTS = $(shell grep -rl propertySeed Tests --include='*Tests.swift' | \
  xargs sed -nE 's/^(@Suite.* )?struct ([A-Za-z]+).*/\2/p' | paste -sd '|')

fuzz: CONFIGURATION = debug
fuzz: setup ## fuzz the parsers of untrusted input, and try new seeds in all property tests
	$(BUILD) --build-tests
	FORAGE_TEST_SEED=$(FUZZ_SEED) FORAGE_FUZZ_INPUTS=$(FUZZ_INPUTS) FORAGE_FUZZ_REPOSITORIES=$(FUZZ_REPOSITORIES) \
	  $(RUN_TESTS) --filter Fuzz
	@for run in $$(seq $(FUZZ_RUNS)); do \
	  FORAGE_TEST_SEED=$(FUZZ_SEED) $(RUN_TESTS) --filter '[.]($(PROPERTY_TESTS))/' --skip Fuzz || exit; \
	done

verify-inspect: archives ## compare inspect with git on clones (CLONE='DIR DIR...', VERIFY=--all for more, VERIFY=--damaged for damaged copies of them)
	@test -n '$(CLONE)' || { printf 'forage: no clone was given\nhint: set CLONE to one or more clones: CLONE=DIR\n' >&2; exit 2; }
	$(RELEASE) --product forage
	$(RELEASE) --product forage-verify-inspect
	.build/release/forage-verify-inspect $(VERIFY) $(FORAGE) $(CLONE)

verify-code: archives ## compare code search with git grep on clones (CLONE='DIR DIR...', VERIFY=--count=N for N queries of each sort, VERIFY=--symbols for definitions with ctags)
	@test -n '$(CLONE)' || { printf 'forage: no clone was given\nhint: set CLONE to one or more clones: CLONE=DIR\n' >&2; exit 2; }
	$(RELEASE) --product forage
	$(RELEASE) --product forage-verify-code
	FORAGE_TEST_SEED=$(FUZZ_SEED) .build/release/forage-verify-code $(VERIFY) $(FORAGE) $(CLONE)

verify-grep: archives ## compare forage grep over made-up clones with rg (COUNT=N commands)
	$(RELEASE) --product forage
	$(RELEASE) --product forage-verify-code
	FORAGE_TEST_SEED=$(FUZZ_SEED) .build/release/forage-verify-code --grep --count=$(or $(COUNT),1000) $(FORAGE)

relevance: archives ## measure the ranking of code search on the clones below DIR (RELEVANCE=-v for the place of each query)
	@test -n '$(DIR)' || { printf 'forage: no folder was given\nhint: set DIR to a folder with clones: DIR=FOLDER\n' >&2; exit 2; }
	$(RELEASE) --product forage
	$(RELEASE) --product forage-relevance
	.build/release/forage-relevance $(RELEVANCE) $(FORAGE) Tests/Relevance/queries.tsv '$(DIR)'

picture: archives ## draw the pictures of the README anew (DIR=folder with clones: cli, fzf, onefetch)
	@test -n '$(DIR)' || { printf 'forage: no folder was given\nhint: set DIR to a folder with clones: DIR=FOLDER\n' >&2; exit 2; }
	$(RELEASE) --product forage
	python3 Tests/Picture/picture.py $(FORAGE) '$(DIR)'

license-list: ## write the texts of the SPDX license list as data (LIST=checkout of license-list-XML, at the tag VERSION)
	python3 Tests/LicenseList/license-list.py '$(LIST)' '$(VERSION)'

lint: ## check the source format
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Plugins

format: ## format the sources
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests Plugins

bench: build ## measure performance against installed comparable programs (CLONE=DIR, CLONES=FOLDER with many clones)
	$(RELEASE) --product forage-bench
	$(RELEASE) --product sample-plugin
	.build/release/forage-bench $(FORAGE) $(CLONE) $(CLONES)

bench-huge: build ## measure inspect on a generated repository (1,000,000 commits, 2 GB in TMPDIR)
	$(RELEASE) --product forage-bench
	.build/release/forage-bench --huge $(FORAGE)

# The bundled plugins, by their folders in Plugins; the one for Debian packages only on Debian.
HACKERNEWS := forage-plugin-hackernews
PLUGINS := HackerNews $(if $(wildcard /var/lib/dpkg/status),DebianPackages)
LIBEXEC = $(DESTDIR)$(PREFIX)/libexec/forage/plugins
# The SDK for plugins in Swift.
SDK = $(DESTDIR)$(PREFIX)/share/forage/sdk
SDK_MODULES := ForageFoundation ForagePlatform ForageCore ForageTesting ForagePluginProtocol ForagePluginSDK
PROVIDERS = $(DESTDIR)$(PREFIX)/share/forage/providers
# What `forage plugin new` copies.
TEMPLATES = $(DESTDIR)$(PREFIX)/share/forage/templates
# What `forage plugin guide` prints.
DOC = $(DESTDIR)$(PREFIX)/share/forage/doc
DOCUMENTS := Plugins/README.md Plugins/MANIFESTS.md Plugins/forage-plugin-1.schema.json \
  Sources/ForagePluginProtocol/ForagePluginProtocol.docc/Protocol.md
MANUALS = $(DESTDIR)$(PREFIX)/share/man/man1
BASH_COMPLETIONS = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_COMPLETIONS = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH_COMPLETIONS = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

install: build ## install program, plugins, manual and completions below PREFIX
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(PROVIDERS)' '$(DOC)' '$(MANUALS)' '$(BASH_COMPLETIONS)' '$(ZSH_COMPLETIONS)' '$(FISH_COMPLETIONS)'
	install -m 755 $(FORAGE) '$(DESTDIR)$(PREFIX)/bin/forage'
	@# A plugin's folder is named by its id. Its files are scripts in its folder or build products.
	@set -e; for plugin in $(PLUGINS); do \
	  id=$$(sed -n 's/^  "id": "\([^"]*\)".*/\1/p' Plugins/$$plugin/plugin.json); test -n "$$id"; \
	  install -d '$(LIBEXEC)'/$$id; \
	  install -m 644 Plugins/$$plugin/plugin.json '$(LIBEXEC)'/$$id; \
	  for file in $$(sed -n 's/^  "files": \[\(.*\)\].*/\1/p' Plugins/$$plugin/plugin.json | tr -d '",'); do \
	    if test -e Plugins/$$plugin/$$file; then from=Plugins/$$plugin/$$file; else from=$(dir $(FORAGE))$$file; fi; \
	    echo "install -m 755 $$from '$(LIBEXEC)'/$$id"; install -m 755 $$from '$(LIBEXEC)'/$$id; \
	  done; \
	done
	install -m 644 Plugins/manifests/*.yaml '$(PROVIDERS)'
	install -m 644 $(DOCUMENTS) '$(DOC)'
	rm -rf '$(TEMPLATES)' && cp -R Plugins/templates '$(TEMPLATES)'
	rm -rf '$(SDK)' && install -d '$(SDK)/Sources'
	install -m 644 Plugins/SDK/Package.swift LICENSE '$(SDK)'
	cp -R $(SDK_MODULES:%=Sources/%) '$(SDK)/Sources'
	$(FORAGE) manual > '$(MANUALS)/forage.1'
	$(FORAGE) --generate-completion-script bash > '$(BASH_COMPLETIONS)/forage'
	$(FORAGE) --generate-completion-script zsh > '$(ZSH_COMPLETIONS)/_forage'
	$(FORAGE) --generate-completion-script fish > '$(FISH_COMPLETIONS)/forage.fish'

uninstall: ## remove what make install installed
	rm -f '$(DESTDIR)$(PREFIX)/bin/forage' '$(MANUALS)/forage.1' '$(BASH_COMPLETIONS)/forage' '$(ZSH_COMPLETIONS)/_forage' \
	  '$(FISH_COMPLETIONS)/forage.fish'
	rm -rf '$(DESTDIR)$(PREFIX)/libexec/forage' '$(DESTDIR)$(PREFIX)/share/forage'

# Packages. The programs in them run on every Linux with this C library or a later one: Ubuntu 22.04, Debian 12.
OLDEST_GLIBC := 2.35
VERSION := $(shell sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/Forage/Forage.swift)
NAME := forage-$(VERSION)-linux-$(shell uname -m)
LICENSES := .build/licenses.txt
INSTALL_FOR_PACKAGE = $(MAKE) --no-print-directory install PLUGINS='HackerNews DebianPackages' >/dev/null
# Files have the time of the commit, so that the same programs give the same bytes.
EPOCH = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null || echo 0))

packaged: build
	@test -n '$(CAN_ARCHIVE)' || { printf 'forage: a package needs static libraries, which are not all here\nhint: build it on Debian 12\n' >&2; exit 2; }
	@if [ -n "$$(git status --porcelain 2>/dev/null)" ]; then \
	  echo 'forage: the package will have what is not committed, too' >&2; fi
	.packaging/needs $(OLDEST_GLIBC) $(FORAGE) $(dir $(FORAGE))$(HACKERNEWS)
	.packaging/licenses .build/release .build/archives forage $(HACKERNEWS) > $(LICENSES)

dist: packaged ## make a tarball in .build that runs from any folder
	@rm -rf .build/dist
	@$(INSTALL_FOR_PACKAGE) DESTDIR='$(CURDIR)/.build/dist' PREFIX=/$(NAME)
	@install -d .build/dist/$(NAME)/share/doc/forage
	@.packaging/readme ../../forage/doc > .build/dist/$(NAME)/share/doc/forage/README.md
	@.packaging/readme share/forage/doc > .build/dist/$(NAME)/README.md
	@install -m 644 $(LICENSES) .build/dist/$(NAME)/share/doc/forage/LICENSES.txt
	@install -m 644 LICENSE .build/dist/$(NAME)/share/doc/forage
	@install -m 644 LICENSE .build/dist/$(NAME)
	@install -m 755 .packaging/install.sh .build/dist/$(NAME)
	@chmod -R u=rwX,go=rX .build/dist
	tar -C .build/dist --sort=name --mtime=@$(EPOCH) --owner=0 --group=0 --numeric-owner --format=gnu \
	  -cf .build/$(NAME).tar $(NAME)
	gzip -9nf .build/$(NAME).tar
	cd .build && sha256sum $(NAME).tar.gz | tee $(NAME).tar.gz.sha256

check-dist: dist ## make the tarball, and check that it installs, runs and goes without remains
	.packaging/check .build/$(NAME).tar.gz

deb: packaged ## make a Debian package in .build
	@rm -rf .build/deb
	@$(INSTALL_FOR_PACKAGE) DESTDIR='$(CURDIR)/.build/deb' PREFIX=/usr \
	  ZSH_COMPLETIONS='$(CURDIR)/.build/deb/usr/share/zsh/vendor-completions'
	SOURCE_DATE_EPOCH=$(EPOCH) .packaging/deb .build/deb $(VERSION) $(LICENSES) .build/forage_$(VERSION)_$$(dpkg --print-architecture).deb

notes: ## print the subjects of the commits since a tag (SINCE=TAG)
	@test -n '$(SINCE)' || { printf 'forage: no tag was given\nhint: name the last release: SINCE=TAG\n' >&2; exit 2; }
	@git log --reverse --no-merges --format='- %s' '$(SINCE)..HEAD'

clean: ## remove all build products
	rm -rf .build
