# One Makefile, one build folder per flavour, nothing to clean between them.
FLAVOUR ?= release
B       ?= build
CC      ?= cc
CLANG   := $(findstring clang,$(CC))
O       := $(B)/$(FLAVOUR)
JOBS    ?= 2
PREFIX  ?= /usr/local
PKGS    := fdisk blkid smartcols json-c uuid ncursesw
LOADED  := mount # by the program, when it looks at a disk: holders_mount.c

# Debian packages: what the program, its tests and its linters need.
BUILD_DEPS := gcc libc6-dev make pkg-config libfdisk-dev libblkid-dev libmount-dev uuid-dev libsmartcols-dev \
              libjson-c-dev libncurses-dev
TEST_DEPS  := libcmocka-dev libvterm-dev tmux mandoc fdisk parted \
              qemu-system-x86 busybox-static cpio kmod udev dmsetup e2fsprogs mount \
              dosfstools exfatprogs ntfs-3g xfsprogs btrfs-progs f2fs-tools makefs \
              cryptsetup-bin lvm2 mdadm bcache-tools
LINT_DEPS  := clang clang-tidy clang-format cppcheck shellcheck

STD      := -std=c11 -D_GNU_SOURCE -Iinclude -Itui
WARN     := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wold-style-definition -Wvla -Wundef -Wcast-qual -Wwrite-strings \
            -Wformat=2 -Wswitch-enum -Wfloat-equal -fno-common
WARN_gcc := -Wlogical-op -Wduplicated-cond -Wduplicated-branches -Wjump-misses-init -Warith-conversion \
            -Wcast-align=strict -Wimplicit-fallthrough=5 -Walloca -Wnull-dereference -Wformat-signedness
SANITIZE := -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=address,undefined

CFLAGS_dev      := -Og -g3 -Werror
CFLAGS_release  := -O2 -g -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection -fcf-protection -fPIE
LDFLAGS_release := -pie -Wl,-z,relro,-z,now
CFLAGS_asan     := -O1 -g3 -Werror $(if $(CLANG),,-Wno-format-truncation) $(SANITIZE)
LDFLAGS_asan    := $(SANITIZE)
CFLAGS_asan-clang  := $(CFLAGS_asan),integer,implicit-conversion
LDFLAGS_asan-clang := $(LDFLAGS_asan),integer,implicit-conversion
# Random numbers and checksums of the tests wrap, as they should.
CFLAGS_tests_asan-clang := -fno-sanitize=unsigned-integer-overflow
CFLAGS_fuzz     := -O1 -g3 $(SANITIZE) -fsanitize=fuzzer-no-link
LDFLAGS_fuzz    := $(SANITIZE) -fsanitize=fuzzer
CFLAGS_analyze  := -O2 -g -Werror -fanalyzer
Q := $(if $(V),,@)

ALL  := $(STD) $(WARN) $(if $(CLANG),,$(WARN_gcc)) $(CFLAGS_$(FLAVOUR)) -pthread \
        $(shell pkg-config --cflags $(PKGS) $(LOADED) 2>/dev/null) $(CFLAGS)
LIBS := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -pthread
CORE := $(patsubst %.c,$(O)/%.o,$(wildcard src/*.c))
TUI  := $(patsubst %.c,$(O)/%.o,$(filter-out tui/main.c tui/document.c,$(wildcard tui/*.c)))
TLIB := $(patsubst %.c,$(O)/%.o,$(wildcard tests/lib/*.c))

# Tests: programs to build and run, and scripts. ONLY=word keeps those with that word in their name.
HARNESS  := $(wildcard tests/fuzz/fuzz_*.c)
PROGRAMS := $(patsubst %.c,$(O)/%,$(wildcard tests/unit/test_*.c tests/prop/prop_*.c tests/crash/crash_*.c tests/screen/test_*.c tests/pty/test_*.c) $(HARNESS))
SCRIPTS  := $(wildcard tests/arch/*.sh tests/cli/run.sh tests/judge/*.sh tests/pty/*.sh tests/vm/*.sh)
TESTS    := $(foreach test,$(SCRIPTS) $(PROGRAMS),$(if $(ONLY),$(if $(findstring $(ONLY),$(test)),$(test)),$(test)))
TOOLS    := $(O)/tests/lib/tool/mkdisk $(O)/tests/lib/tool/diffdisk
AGAIN    := $(MAKE) --no-print-directory

.PHONY: all deps deps-test deps-lint demo demo-run check check-run asan fuzz fuzz-run bless bless-cli lint bench bench-run \
        lint-tidy lint-cppcheck lint-analyze lint-shell lint-format lint-arch install uninstall clean help FORCE

all: afdisk $(O)/afdisk.8 $(O)/afdisk.bash ## build ./afdisk

afdisk: $(O)/afdisk FORCE
	$(Q)cmp -s $< $@ || install -m 755 $< $@

$(O)/afdisk: $(O)/tui/main.o $(TUI) $(CORE)
	$(Q)$(CC) $(ALL) $^ $(LDFLAGS_$(FLAVOUR)) $(LIBS) -o $@

# The manual page and the completion of the shell, filled in from the lists of the program.
$(O)/document: $(O)/tui/document.o $(TUI) $(CORE)
	$(Q)$(CC) $(ALL) $^ $(LDFLAGS_$(FLAVOUR)) $(LIBS) -o $@

$(O)/afdisk.%: src/afdisk.% $(O)/document
	$(Q)$(O)/document <$< >$@.new && mv $@.new $@

$(O)/%.o: %.c
	$(Q)mkdir -p $(@D) && $(CC) $(ALL) $(if $(filter tests/%,$<),$(CFLAGS_tests_$(FLAVOUR))) -Itests/lib -MMD -MP -c $< -o $@

$(O)/tests/lib/tool/%: $(O)/tests/lib/tool/%.o $(O)/tests/lib/disks.o $(O)/tests/lib/foreign.o $(O)/tests/lib/stacks.o \
                         $(O)/tests/lib/recipe.o
	$(Q)$(CC) $(ALL) $^ $(LDFLAGS_$(FLAVOUR)) -o $@

# What another program is made to load: nothing of ours, and no sanitizer, is in it.
$(O)/tests/crash/crash_sfdisk: $(O)/tests/crash/record.so
$(O)/tests/crash/record.so: tests/crash/record.c
	$(Q)mkdir -p $(@D) && $(CC) $(STD) $(WARN) -O1 -shared -fPIC $< -o $@

# A harness replays its seeds, unless libFuzzer drives it.
REPLAY := $(if $(filter fuzz,$(FLAVOUR)),,$(O)/tests/fuzz/replay.o)
$(O)/tests/fuzz/%: $(O)/tests/fuzz/%.o $(REPLAY) $(TLIB) $(TUI) $(CORE)
	$(Q)$(CC) $(ALL) $^ $(LDFLAGS_$(FLAVOUR)) $(LIBS) -Wl,--as-needed -lcmocka -lvterm -o $@

$(O)/tests/%: $(O)/tests/%.o $(TLIB) $(TUI) $(CORE)
	$(Q)$(CC) $(ALL) $(filter %.o,$^) $(LDFLAGS_$(FLAVOUR)) $(LIBS) -Wl,--as-needed -lcmocka -lvterm -o $@

# Installs what is missing of the packages $(1); asks and does nothing if all is there.
define need
	@missing=; for p in $(1); do \
		dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q ' installed$$' || missing="$$missing $$p"; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	as=; \
	if ! command -v apt-get >/dev/null; then \
		echo "this is no Debian: cannot look for the packages$$missing; going on as if they were there"; exit 0; \
	elif [ "$$(id -u)" -ne 0 ]; then \
		command -v sudo >/dev/null && as="sudo" || { \
		echo "missing packages: become root and run: apt-get install$$missing" >&2; exit 1; }; \
	fi; \
	echo "installing$$missing"; \
	get="$$as env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends"; \
	$$get -s install $$missing >/dev/null 2>&1 || $$get update; \
	$$get install $$missing || { $$get update && $$get install $$missing; }
endef

deps: ## install what the build needs, on Debian
	$(call need,$(BUILD_DEPS))

deps-test: ## ... and what the tests need
	$(call need,$(BUILD_DEPS) $(TEST_DEPS))
	@sh tests/vm/bed/fetch.sh $(B)/vm

deps-lint: ## ... and what the linters need
	$(call need,$(BUILD_DEPS) $(TEST_DEPS) $(LINT_DEPS))

# The second make sees the tools that the first one may have had to install.
demo: deps ## build it and open a sample disk, an image in build/demo
	@$(AGAIN) demo-run

demo-run: all $(TOOLS)
	@[ -t 0 ] && [ -t 1 ] || { echo "make demo needs a terminal" >&2; exit 1; }
	@mkdir -p $(B)/demo && $(O)/tests/lib/tool/mkdisk $(B)/demo/disk.img seed
	@LANG="$${LANG:-C.UTF-8}" XDG_STATE_HOME="$$PWD/$(B)/demo" ./afdisk $(B)/demo/disk.img

check: deps-test ## run every test
	@$(AGAIN) -j$(JOBS) FLAVOUR=dev check-run

check-run: $(O)/afdisk $(O)/afdisk.8 $(O)/afdisk.bash $(TOOLS) $(filter $(PROGRAMS),$(TESTS))
	@O=$(O) JOBS=$(JOBS) CC="$(CC)" sh tests/run.sh $(TESTS)

asan: deps-test ## run every test under the sanitizers; CC=clang finds more
	@$(AGAIN) -j$(JOBS) FLAVOUR=asan$(if $(CLANG),-clang) check-run

# New inputs are kept in build/fuzz/NAME, a crash is written there too.
T ?= 60
fuzz: deps-lint ## feed every harness for T seconds each (60)
	@$(AGAIN) -j$(JOBS) CC=clang FLAVOUR=fuzz fuzz-run

fuzz-run: $(patsubst %.c,$(O)/%,$(HARNESS))
	$(Q)for h in $(patsubst tests/fuzz/fuzz_%.c,%,$(HARNESS)); do \
		mkdir -p $(O)/$$h && $(O)/tests/fuzz/fuzz_$$h -max_total_time=$(T) -timeout=1 -rss_limit_mb=512 \
			-malloc_limit_mb=64 -print_final_stats=1 -verbosity=0 -artifact_prefix=$(O)/$$h/ \
			$(O)/$$h tests/fuzz/seeds/$$h || exit 1; \
	done

bless: ## make what the screen tests draw now the golden screens
	@BLESS=1 $(AGAIN) check ONLY=tests/screen
	@BLESS=1 sh tests/arch/readme.sh

bless-cli: ## make what the command line prints now what is expected
	@BLESS=1 $(AGAIN) check ONLY=tests/cli

bench: deps-test ## measure it, beside cfdisk
	@$(AGAIN) FLAVOUR=release bench-run

bench-run: $(O)/afdisk $(TOOLS) $(O)/tests/bench/bench
	@AFDISK=$(O)/afdisk MKDISK=$(O)/tests/lib/tool/mkdisk $(O)/tests/bench/bench

lint: deps-lint ## run every linter
	@$(AGAIN) -k lint-format lint-shell lint-arch lint-analyze lint-cppcheck lint-tidy

SOURCES := $(wildcard src/*.c tui/*.c tests/*/*.c tests/lib/tool/*.c)
HEADERS := $(wildcard include/afdisk/*.h src/*.h tui/*.h tests/*/*.h)

lint-format:
	@clang-format --dry-run --Werror $(SOURCES) $(HEADERS)

lint-shell:
	@shellcheck -x .ci/run src/afdisk.bash $(wildcard tests/*.sh tests/*/*.sh tests/vm/*/*)

lint-arch: $(TOOLS)
	@O=$(O) sh tests/run.sh $(wildcard tests/arch/*.sh)

lint-analyze:
	@$(AGAIN) FLAVOUR=analyze CC=gcc objects

lint-cppcheck:
	@cppcheck --quiet -j $(JOBS) --std=c11 --enable=warning,performance,portability,style --inconclusive \
		--library=posix --library=gnu --inline-suppr --suppress=missingIncludeSystem --error-exitcode=1 \
		-D_GNU_SOURCE -Iinclude -Itui -Itests/lib src tui tests/lib

lint-tidy:
	@printf '%s\n' $(SOURCES) | xargs -P $(JOBS) -n 1 sh -c 'clang-tidy --quiet "$$@" -- $(STD) -Itests/lib \
		$(shell pkg-config --cflags $(PKGS) $(LOADED) 2>/dev/null) 2>/dev/null' sh

objects: $(O)/tui/main.o $(O)/tui/document.o $(TUI) $(CORE)

install: all ## install into $(DESTDIR)$(PREFIX), /usr/local if nothing is said
	install -D -m 755 afdisk "$(DESTDIR)$(PREFIX)/sbin/afdisk"
	install -D -m 644 $(O)/afdisk.8 "$(DESTDIR)$(PREFIX)/share/man/man8/afdisk.8"
	install -D -m 644 $(O)/afdisk.bash "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/afdisk"

uninstall: ## take it out again
	rm -f "$(DESTDIR)$(PREFIX)/sbin/afdisk" "$(DESTDIR)$(PREFIX)/share/man/man8/afdisk.8" \
		"$(DESTDIR)$(PREFIX)/share/bash-completion/completions/afdisk"

clean: ## remove all that was built
	rm -rf $(B) afdisk

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r target text; do \
		printf '  %-11s %s\n' "$$target" "$$text"; done

.SECONDARY:
-include $(wildcard $(O)/*/*.d $(O)/*/*/*.d $(O)/*/*/*/*.d)
