# GNU make reads this file before each makefile, because the variable MAKEFILES names it. It runs each line of a recipe through the script sh beside it, which
# the shell of the makefile itself runs: += keeps the makefile's own value of SHELL. Each target with a recipe adds its prerequisites to a file of this make.
# .ONESHELL needs a SHELL that is one word, and a SHELL of another language cannot run the script, so such makefiles run as they are.
ifneq (,$(filter 4.%,$(MAKE_VERSION)))
WHORL_MAKE := $(shell echo $$PPID $$(grep -lsE '^([.]ONESHELL|((export|override) +)*SHELL *[:?]*= *[^ ]*(python|perl|ruby|node|pwsh|csh|fish|awk|tclsh))' -- GNUmakefile makefile Makefile $$(tr '\0' '\n' </proc/$$PPID/cmdline | sed 1d)))
ifeq (1,$(words $(WHORL_MAKE)))
%: private SHELL += $(WHORL_DIR)/sh
%: private export WHORL_SHELL = $(SHELL)
%: private export WHORL_MAKE := $(WHORL_MAKE)
%: private export WHORL_TARGET = $@$(file >>$(WHORL_DIR)/graph.$(WHORL_MAKE),$@	$^	$|)
else
$(file >>$(WHORL_DIR)/oneshell,$(WHORL_MAKE))
endif
endif
MAKEFILE_LIST :=
