# One Makefile, one build folder per flavour, nothing to clean between them.
FLAVOUR ?= release
B       ?= build
O       := $(B)/$(FLAVOUR)
CC      ?= cc
PKGS    := fdisk blkid smartcols json-c uuid ncursesw

STD      := -std=c11 -D_GNU_SOURCE -Iinclude -Itui
WARN     := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wold-style-definition -Wvla -Wundef -Wcast-qual -Wwrite-strings \
            -Wformat=2 -Wswitch-enum -Wfloat-equal -fno-common
WARN_gcc := -Wlogical-op -Wduplicated-cond -Wduplicated-branches -Wjump-misses-init -Warith-conversion \
            -Wcast-align=strict -Wimplicit-fallthrough=5 -Walloca -Wnull-dereference -Wformat-signedness

CFLAGS_dev      := -Og -g3 -Werror
CFLAGS_release  := -O2 -g -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection -fcf-protection -fPIE
LDFLAGS_release := -pie -Wl,-z,relro,-z,now
CFLAGS_asan     := -O1 -g3 -Werror -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
LDFLAGS_asan    := -fsanitize=address,undefined
Q := $(if $(V),,@)

ALL  := $(STD) $(WARN) $(if $(findstring clang,$(CC)),,$(WARN_gcc)) $(CFLAGS_$(FLAVOUR)) -pthread \
        $(shell pkg-config --cflags $(PKGS) 2>/dev/null) $(CFLAGS)
LIBS := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -pthread
CORE := $(patsubst %.c,$(O)/%.o,$(wildcard src/*.c))
TUI  := $(patsubst %.c,$(O)/%.o,$(filter-out tui/main.c,$(wildcard tui/*.c)))
TLIB := $(patsubst %.c,$(O)/%.o,$(wildcard tests/lib/*.c))

all: afdisk
afdisk: $(O)/afdisk
	$(Q)cp $< $@
$(O)/afdisk: $(O)/tui/main.o $(TUI) $(CORE)
	$(Q)$(CC) $(ALL) $^ $(LDFLAGS_$(FLAVOUR)) $(LIBS) -o $@
$(O)/%.o: %.c
	$(Q)mkdir -p $(@D) && $(CC) $(ALL) -Itests/lib -MMD -MP -c $< -o $@
$(O)/tests/%: $(O)/tests/%.o $(TLIB) $(TUI) $(CORE)
	$(Q)$(CC) $(ALL) $^ $(LDFLAGS_$(FLAVOUR)) $(LIBS) -lcmocka -o $@
-include $(wildcard $(O)/*/*.d $(O)/*/*/*.d)
.PHONY: all
