package makes

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/waits"
	"whorl/tracer/formats/actions"
)

// made runs make with some makefiles, and returns what it prints, its error, and the build.
func made(t *testing.T, files map[string]string, args ...string) (out string, failed error, b *actions.Build, err error) {
	t.Helper()
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("no make")
	}
	for _, name := range []string{"MAKEFLAGS", "MAKELEVEL", "MFLAGS"} { // make may run this test
		t.Setenv(name, "")
		must.Do(t, os.Unsetenv(name))
	}
	top, dir := t.TempDir(), t.TempDir()
	for name, text := range files {
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o700))
		must.Do(t, os.WriteFile(filepath.Join(top, name), []byte(text), 0o600))
	}
	r, err := Start(dir)
	if errors.Is(err, ErrSystem) {
		t.Skip(err)
	}
	must.Do(t, err)
	run := exec.Command("make", args...)
	run.Dir, run.Env = top, r.Environment()
	text, failed := run.CombinedOutput()
	r.Stop()
	b, err = r.Build("make")
	return string(text), failed, b, err
}

// names returns the dependencies and the parents of the actions of a build: "b < a, in make".
func names(b *actions.Build) (all []string) {
	for _, a := range b.Actions {
		s := a.Name
		for _, d := range a.Deps {
			s += " < " + d.Name
		}
		if a.Parent != nil {
			s += " in " + a.Parent.Name
		}
		all = append(all, s)
	}
	slices.Sort(all)
	return all
}

// TestMake builds with two makefiles, several jobs, and a shell with flags, and checks that recipes do what they do without whorl.
func TestMake(t *testing.T) {
	files := map[string]string{
		"Makefile": "SHELL := /bin/sh -f\n.SHELLFLAGS := -e -c\nall: app sub\n\t@echo all of $(firstword $(MAKEFILE_LIST))\n" +
			"app: a.o b.o | dir\n\t@cat a.o b.o > $@\n\t@echo '*'\n%.o: %.c\n\t@cp $< $@\ndir:\n\t@mkdir dir\n" +
			"sub:\n\t@$(MAKE) --no-print-directory -C sub WHAT='1 $$2'\n.PHONY: all sub\n",
		"a.c": "a\n", "b.c": "b\n",
		"sub/Makefile": "all: x y\nx: y\nx y:\n\t@echo \"$@ $(WHAT)\"; $(SHELL) -c 'echo inner'\n\t@echo $(shell echo '2nd $@')\n.PHONY: all x y\n",
	}
	out, failed, b, err := made(t, files, "-j2")
	must.Do(t, err)
	must.Do(t, failed)
	lines := strings.Fields(strings.ReplaceAll(out, "\n", " "))
	slices.Sort(lines)
	want := strings.Fields("* 1 1 2nd 2nd Makefile all inner inner of x x y y")
	if d := cmp.Diff(want, slices.DeleteFunc(lines, func(s string) bool { return s == "$2" || s == "" })); d != "" {
		t.Errorf("it prints %q: %s", out, d)
	}
	if d := cmp.Diff([]string{
		"a.o in make", "all < app < sub in make", "app < a.o < b.o < dir in make", "b.o in make", "dir in make", "make", "sub in make", "sub/x < sub/y in sub", "sub/y in sub",
	}, names(b)); d != "" {
		t.Error(d)
	}
	if b.PEs != 2 || b.Dropped.String() != "" {
		t.Errorf("%d PEs, missing %q", b.PEs, b.Dropped.String())
	}
	m := tracer.NewMemory()
	b.Record(m)
	must.Do(t, m.Close())
	w := must.Get(waits.Build(m, nil))(t)
	p := must.Get(w.Path(m, 0, 0, nil))(t)
	if w.Lost != 0 || p.Sum(waits.Outside)+p.Sum(waits.Before) > 0 {
		t.Errorf("%d events lost, path %+v", w.Lost, p.Shares)
	}
}

func TestFailing(t *testing.T) {
	_, failed, b, err := made(t, map[string]string{"Makefile": "all: a\na: b\n\t@exit 3\nb:\n\t@touch b\n"})
	must.Do(t, err)
	if exit := (*exec.ExitError)(nil); !errors.As(failed, &exit) || exit.ExitCode() != 2 {
		t.Errorf("make ends with %v", failed)
	}
	if d := cmp.Diff([]string{"a < b in make", "b in make", "make"}, names(b)); d != "" {
		t.Error(d)
	}
	for text, want := range map[string]string{
		"all:\n":                              "no recipe has run",
		".ONESHELL:\nall:\n\t@cd /\n\t@pwd\n": "the makefile has .ONESHELL",
		"export SHELL := /usr/bin/awk\n.SHELLFLAGS := -f /dev/null\nall:\n\t@/dev/null\n": "or a SHELL that is none of POSIX",
	} {
		if out, failed, _, err := made(t, map[string]string{"Makefile": text}); failed != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %s, %v, %v", text, out, failed, err)
		}
	}
}

// TestBuild joins the lines of targets, also those of two makes that have targets of one name.
func TestBuild(t *testing.T) {
	sub := &job{pid: 2, make: 1, dir: "/p", target: "sub", from: 30, to: 90}
	jobs := []*job{
		{pid: 1, make: 1, dir: "/p", target: "a", from: 10, to: 20},
		{pid: 1, make: 1, dir: "/p", target: "a", from: 21, to: 29},
		sub,
		{pid: 3, make: 9, parent: sub, dir: "/p/s", target: "a", from: 40, to: 50},
		{pid: 3, make: 9, parent: sub, dir: "/p/s", target: "/q/b", from: 60, to: 80},
		{pid: 3, make: 9, parent: sub, dir: "/p/s", target: "/p/c", from: 81, to: 82},
	}
	graph := prerequisites{1: map[string][]string{}, 9: map[string][]string{}}
	parse(strings.NewReader("sub\ta x.c\t\n"), graph[1], 99)
	if left := parse(strings.NewReader("/q/b\t\ta\ndamage\n\n/q/b\ta"), graph[9], 99); left != 99-22 {
		t.Errorf("%d bytes are left", left)
	}
	b := build("make", jobs, graph, 100)
	if d := cmp.Diff([]string{"/q/b < s/a < s/a in sub", "a in make", "c in sub", "make", "s/a in sub", "sub < a in make"}, names(b)); d != "" {
		t.Error(d)
	}
	if a := b.Actions[1]; a.From != 10 || a.To != 29 {
		t.Errorf("%+v", a)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("app\ta.o b.o\tdir\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		of := map[string][]string{}
		parse(strings.NewReader(string(b)), of, int64(len(b)))
		for _, target := range slices.Sorted(maps.Keys(of)) {
			if strings.ContainsAny(target, "\t\n") {
				t.Errorf("target %q", target)
			}
		}
	})
}
