# Forage: `make demo` shows it, `make test` tests it; both set up what they need.
# Everything that is made lands under .build.

PREFIX ?= /usr/local
SWIFT ?= swift
APT_PACKAGES := libgit2-dev libsqlite3-dev pkg-config
OS := $(shell uname -s)

# The release binary carries the Swift runtime and nothing that is not called, so that it starts fast and runs anywhere.
# It is linked to a fixed address, as Go's programs are: 400 pages less to relocate at each start. PIE=1 makes it relocatable.
ifeq ($(OS),Linux)
  FIXED := $(if $(PIE),,-Xlinker --no-pie)
  RELEASE_FLAGS := --static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=lld \
    -Xlinker -s -Xlinker --gc-sections -Xlinker --icf=safe -Xlinker --no-export-dynamic $(FIXED)
  # Packed relocations need glibc 2.36 or later.
  GLIBC := $(shell getconf GNU_LIBC_VERSION 2>/dev/null | sed 's/glibc //')
  ifneq ($(GLIBC),)
    ifeq ($(shell printf '2.36\n$(GLIBC)\n' | sort -V | head -n 1),2.36)
      RELEASE_FLAGS += -Xlinker -z -Xlinker pack-relative-relocs
    endif
  endif
endif
FORAGE = .build/release/forage

# The libraries behind libgit2 1.5, and the C++ runtime that Swift needs, are linked as archives where all are there: a third of the start-up
# is the search through shared libraries. Kerberos has no archive. libgit2 would call it to log in to a proxy or a server; the inspector opens
# no connection through libgit2, so that its symbols may be absent.
ARCHIVES := $(CURDIR)/.build/archives
LIBDIR = $(shell pkg-config --variable=libdir libgit2 2>/dev/null)
GCCDIR = $(shell ls -dv /usr/lib/gcc/$$(uname -m)-linux-gnu/*/ 2>/dev/null | tail -n 1)
GIT2_LIBS := git2 mbedtls mbedx509 mbedcrypto http_parser ssh2 crypto pcre2-8 z
GSS := delete_sec_context display_status import_name indicate_mechs init_sec_context release_buffer release_name release_oid_set
ifeq ($(OS),Linux)
  CAN_ARCHIVE = $(shell pkg-config --modversion libgit2 2>/dev/null | grep -q '^1[.]5[.]' && \
    for name in $(GIT2_LIBS) sqlite3; do test -e $(LIBDIR)/lib$$name.a || exit; done && \
    test -e $(GCCDIR)libstdc++.a && test -e $(GCCDIR)libgcc_eh.a && echo yes)
endif
ARCHIVE_FLAGS := -Xlinker --as-needed -Xlinker --defsym=GSS_C_NT_HOSTBASED_SERVICE=0 $(GSS:%=-Xlinker --defsym=gss_%=0)
RELEASE = $(if $(CAN_ARCHIVE),PKG_CONFIG_PATH='$(ARCHIVES)') $(SWIFT) build -c release $(RELEASE_FLAGS) $(if $(CAN_ARCHIVE),$(ARCHIVE_FLAGS))

.PHONY: help demo test test-program test-parts fuzz build lint format bench bench-huge verify-inspect
.PHONY: install uninstall clean setup archives

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 26

setup: ## install what building needs (Debian packages; a message elsewhere)
	@command -v $(SWIFT) >/dev/null || { echo "forage: Swift 6.2 or later is needed: https://www.swift.org/install" >&2; exit 2; }
	@$(SWIFT) --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1 | { \
	  read major minor; \
	  if [ "$${major:-0}" -lt 6 ] || { [ "$$major" -eq 6 ] && [ "$$minor" -lt 2 ]; }; then \
	    echo "forage: Swift 6.2 or later is needed, this is $${major:-?}.$${minor:-?}: https://www.swift.org/install" >&2; exit 2; fi; }
	@if command -v pkg-config >/dev/null && pkg-config --exists libgit2 sqlite3; then :; \
	elif command -v apt-get >/dev/null; then \
	  echo "forage: installing $(APT_PACKAGES)"; \
	  if [ "$$(id -u)" -eq 0 ]; then sudo=; \
	  elif command -v sudo >/dev/null; then sudo=sudo; \
	  else echo "forage: as root, run: apt-get install $(APT_PACKAGES)" >&2; exit 2; fi; \
	  $$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq $(APT_PACKAGES) >/dev/null \
	    || { echo "forage: installing failed; install these by hand: $(APT_PACKAGES)" >&2; exit 2; }; \
	else \
	  echo "forage: libgit2, SQLite and pkg-config are needed, with their headers" >&2; \
	  echo "hint: on Debian they are $(APT_PACKAGES); on macOS run: brew install libgit2 sqlite pkg-config" >&2; exit 2; \
	fi

# A folder with nothing but archives, found before the shared libraries of the same names.
archives: setup
	@if [ -n '$(CAN_ARCHIVE)' ]; then \
	  mkdir -p '$(ARCHIVES)'; \
	  for name in $(GIT2_LIBS) sqlite3; do ln -sf '$(LIBDIR)'/lib$$name.a '$(ARCHIVES)'; done; \
	  ln -sf '$(GCCDIR)libstdc++.a' '$(ARCHIVES)'; \
	  ln -sf '$(GCCDIR)libgcc_eh.a' '$(ARCHIVES)/libgcc_s.a'; \
	  { echo 'Name: libgit2'; echo 'Description: libgit2 and what it needs, as archives'; \
	    echo "Version: $$(pkg-config --modversion libgit2)"; \
	    echo "Libs: -L$(ARCHIVES) $(GIT2_LIBS:%=-l%)"; } > '$(ARCHIVES)/libgit2.pc'; \
	fi

build: archives ## build the release binaries
	$(RELEASE) --product forage
	$(RELEASE) --product $(HACKERNEWS)

DEMO_HOME := $(CURDIR)/.build/demo
DEMO = HOME='$(DEMO_HOME)' XDG_CONFIG_HOME= XDG_DATA_HOME= XDG_CACHE_HOME= XDG_STATE_HOME= PATH="$(CURDIR)/.build/release:$$PATH"

demo: build ## show the program on real clones, in a home of its own
	@rm -rf '$(DEMO_HOME)' && mkdir -p '$(DEMO_HOME)'
	@for command in \
	  'forage clones add .build/checkouts .' \
	  'forage search "http client language:swift"' \
	  'forage inspect .build/checkouts/swift-nio' \
	  'forage show apple/swift-nio'; do \
	  printf '\n$$ %s\n' "$$command"; \
	  env $(DEMO) sh -c "$$command" || exit $$?; \
	done

# The tests run in two processes, each with about half of the work; what failed is told again at the end. On Linux
# the tests are a program; elsewhere `swift test` runs them, one process after the other.
TESTS := .build/debug/foragePackageTests.xctest
RUN_TESTS = $(if $(shell test -f $(TESTS) && echo yes),$(TESTS) --testing-library swift-testing,$(SWIFT) test --skip-build) --no-parallel
PROGRAM_TESTS := ^(IntegrationTests|ForagePluginHostTests|ForageManifestTests|PluginTests|HackerNewsTests|ForageCLITests)[.]
define run-tests
	@$(RUN_TESTS) $(1) '$(PROGRAM_TESTS)' > .build/$@.log 2>&1; status=$$?; \
	cat .build/$@.log; [ $$status = 0 ] || grep '^✘' .build/$@.log; exit $$status
endef

test: setup ## run all tests
	$(SWIFT) build --build-tests
	@$(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target test-program test-parts

test-program:
	$(call run-tests,--filter)

test-parts:
	$(call run-tests,--skip)

# Inputs of each sort, and damaged repositories. The seeds are printed; FORAGE_TEST_SEED repeats a run.
FUZZ_INPUTS ?= 1000000
FUZZ_REPOSITORIES ?= 3000

fuzz: setup ## feed a million random inputs of each sort, and 3,000 damaged repositories, to what reads foreign bytes
	$(SWIFT) build --build-tests
	FORAGE_FUZZ_INPUTS=$(FUZZ_INPUTS) FORAGE_FUZZ_REPOSITORIES=$(FUZZ_REPOSITORIES) \
	  $(SWIFT) test --skip-build --no-parallel --filter Fuzz

verify-inspect: archives ## compare what inspect tells of clones with what git tells: CLONE='DIR DIR...', VERIFY=--all for more
	@test -n '$(CLONE)' || { echo "forage: name the clones: make verify-inspect CLONE=DIR" >&2; exit 2; }
	$(RELEASE) --product forage
	$(RELEASE) --product forage-verify-inspect
	.build/release/forage-verify-inspect $(VERIFY) $(FORAGE) $(CLONE)

lint: ## check the format
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Plugins

format: ## bring the format in order
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests Plugins

bench: build ## measure against the peers that are installed
	$(RELEASE) --product forage-bench
	$(RELEASE) --product sample-plugin
	.build/release/forage-bench $(FORAGE) $(CLONE)

bench-huge: build ## measure inspect on a million commits and a hundred thousand files, made for it (2 GB under TMPDIR)
	$(RELEASE) --product forage-bench
	.build/release/forage-bench --huge $(FORAGE)

# The plugins that come along, by their folders in Plugins; the one for Debian's packages where there are any.
HACKERNEWS := forage-plugin-hackernews
PLUGINS := HackerNews $(if $(wildcard /var/lib/dpkg/status),DebianPackages)
LIBEXEC = $(DESTDIR)$(PREFIX)/libexec/forage/plugins
# What a plugin in Swift is built with.
SDK = $(DESTDIR)$(PREFIX)/share/forage/sdk
SDK_MODULES := ForageCore ForageTesting ForagePluginProtocol ForagePluginSDK
PROVIDERS = $(DESTDIR)$(PREFIX)/share/forage/providers
MANUALS = $(DESTDIR)$(PREFIX)/share/man/man1
BASH_COMPLETIONS = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_COMPLETIONS = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH_COMPLETIONS = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

install: build ## put the program, its plugins, manual and completions under PREFIX
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(PROVIDERS)' '$(MANUALS)' '$(BASH_COMPLETIONS)' '$(ZSH_COMPLETIONS)' '$(FISH_COMPLETIONS)'
	install -m 755 $(FORAGE) '$(DESTDIR)$(PREFIX)/bin/forage'
	@# A plugin's folder has its id as name; what it runs is a script of its folder or a product of the build.
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
	rm -rf '$(SDK)' && install -d '$(SDK)/Sources'
	install -m 644 Plugins/SDK/Package.swift LICENSE '$(SDK)'
	cp -R $(SDK_MODULES:%=Sources/%) '$(SDK)/Sources'
	$(FORAGE) manual > '$(MANUALS)/forage.1'
	$(FORAGE) --generate-completion-script bash > '$(BASH_COMPLETIONS)/forage'
	$(FORAGE) --generate-completion-script zsh > '$(ZSH_COMPLETIONS)/_forage'
	$(FORAGE) --generate-completion-script fish > '$(FISH_COMPLETIONS)/forage.fish'

uninstall: ## remove what `make install` has put under PREFIX
	rm -f '$(DESTDIR)$(PREFIX)/bin/forage' '$(MANUALS)/forage.1' '$(BASH_COMPLETIONS)/forage' '$(ZSH_COMPLETIONS)/_forage' \
	  '$(FISH_COMPLETIONS)/forage.fish'
	rm -rf '$(DESTDIR)$(PREFIX)/libexec/forage' '$(DESTDIR)$(PREFIX)/share/forage'

clean: ## remove everything that was made
	rm -rf .build
