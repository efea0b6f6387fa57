# `make demo` demonstrates Forage, `make test` tests it. Where there is apt-get they install what they need, and say
# first what that is; elsewhere, and with NO_INSTALL=1, they only name it. All build products are in .build. What a
# target does in more than a few lines is a script in .ci (build, checks) or .packaging (release build, packages), with
# its reasons at the top.

PREFIX ?= /usr/local
SWIFT ?= swift
FORAGE = .build/release/forage
# The flags of a release: static Swift runtime and libraries, and the commit for `forage --version`. PIE=1 makes
# programs position-independent.
RELEASE := .packaging/release
export SWIFT PREFIX

.PHONY: archives bench bench-huge build check-dist clean deb demo deps dist docs format fuzz help install license-list lint notes
.PHONY: outside packaged picture program relevance setup test test-first test-outside test-parts test-program uninstall
.PHONY: verify-code verify-grep verify-inspect

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 26

setup: ## install build dependencies (where there is apt-get; elsewhere names them)
	@.ci/setup

archives: setup
	@.packaging/archives

build: program ## build the release binaries
	$(RELEASE) --product forage-plugin-hackernews

program: archives
	$(RELEASE) --product forage

demo: program ## demonstrate the program in a separate home directory
	@.ci/demo

# The tests are part of the release build, so they test the programs that are installed. CONFIGURATION=debug compiles faster
# after a change, and checks memory that is accessed through pointers.
CONFIGURATION ?= release
ifeq ($(filter debug release,$(CONFIGURATION)),)
  $(error CONFIGURATION is debug or release)
endif
BUILD = $(if $(filter debug,$(CONFIGURATION)),$(SWIFT) build,$(RELEASE))

test: archives ## run all tests
	$(BUILD) --build-tests
	@$(MAKE) --no-print-directory --jobs=3 --keep-going --output-sync=target test-first test-program test-parts test-outside

test-first test-program test-parts:
	@.ci/tests $(CONFIGURATION) $(@:test-%=%)

test-outside:
	.ci/outside $(CONFIGURATION)

outside: setup ## build the package in Tests/Outside, which uses the libraries as any program does
	$(SWIFT) build --package-path Tests/Outside --scratch-path .build/outside

docs: build ## build the documentation of the libraries into .build/docs; warnings are errors
	.ci/docs

fuzz: CONFIGURATION = debug
fuzz: archives ## fuzz the parsers of untrusted input, and try new seeds in all property tests
	$(BUILD) --build-tests
	.ci/fuzz $(CONFIGURATION)

# A tool of Tests, built with the program that it measures or compares.
define build-tool
	$(RELEASE) --product forage
	$(RELEASE) --product $(1)
endef
# Fails where a variable is empty: its name, what it stands for, and the hint.
need = @test -n '$($(1))' || { printf 'forage: no %s was given\nhint: %s\n' '$(2)' '$(3)' >&2; exit 2; }
need-clone = $(call need,CLONE,clone,set CLONE to one or more clones: CLONE=DIR)
need-folder = $(call need,DIR,folder,set DIR to a folder with clones: DIR=FOLDER)
SEED = FORAGE_TEST_SEED=$(or $(FORAGE_TEST_SEED),random)

verify-inspect: archives ## compare inspect with git on clones (CLONE='DIR DIR...', VERIFY=--all for more, VERIFY=--damaged for damaged copies of them)
	$(need-clone)
	$(call build-tool,forage-verify-inspect)
	.build/release/forage-verify-inspect $(VERIFY) $(FORAGE) $(CLONE)

verify-code: archives ## compare code search with git grep on clones (CLONE='DIR DIR...', VERIFY=--count=N for N queries of each sort, VERIFY=--symbols for definitions with ctags)
	$(need-clone)
	$(call build-tool,forage-verify-code)
	$(SEED) .build/release/forage-verify-code $(VERIFY) $(FORAGE) $(CLONE)

verify-grep: archives ## compare forage grep over made-up clones with rg (COUNT=N commands)
	$(call build-tool,forage-verify-code)
	$(SEED) .build/release/forage-verify-code --grep --count=$(or $(COUNT),1000) $(FORAGE)

relevance: archives ## measure the ranking of code search on the clones below DIR (RELEVANCE=-v for the place of each query)
	$(need-folder)
	$(call build-tool,forage-relevance)
	.build/release/forage-relevance $(RELEVANCE) $(FORAGE) Tests/Relevance/queries.tsv '$(DIR)'

picture: archives ## draw the pictures of the README anew (DIR=folder with clones: cli, fzf, onefetch)
	$(need-folder)
	$(RELEASE) --product forage
	python3 Tests/Picture/picture.py $(FORAGE) '$(DIR)'

license-list: ## write the texts of the SPDX license list as data (LIST=checkout of license-list-XML at a tag)
	python3 Tests/LicenseList/license-list.py $(LIST)

deps: ## list the packages that are compiled, and what is newer (asks their servers)
	@.ci/deps

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

install: build ## install program, plugins, manual and completions below PREFIX
	@.packaging/install

uninstall: ## remove what make install installed
	@.packaging/install --remove

# Packages. VERSION is that of the program. Files have the time of the commit, so that the same programs give the same bytes.
VERSION := $(shell sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/ForageSetup/Forage.swift)
NAME := forage-$(VERSION)-linux-$(shell uname -m)
EPOCH = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null || echo 0))

packaged: build
	.packaging/prepare

dist: packaged ## make a tarball in .build that runs from any folder (on Debian 12)
	SOURCE_DATE_EPOCH=$(EPOCH) .packaging/tarball $(NAME)

check-dist: dist ## make the tarball, and check that it installs, runs and goes without remains (on Debian 12)
	.packaging/check .build/$(NAME).tar.gz

deb: packaged ## make a Debian package in .build (on Debian 12)
	SOURCE_DATE_EPOCH=$(EPOCH) .packaging/deb $(VERSION) .build/forage_$(VERSION)_$$(dpkg --print-architecture).deb

notes: ## print the subjects of the commits since a tag (SINCE=TAG)
	$(call need,SINCE,tag,name the last release: SINCE=TAG)
	@git log --reverse --no-merges --format='- %s' '$(SINCE)..HEAD'

clean: ## remove all build products
	rm -rf .build
