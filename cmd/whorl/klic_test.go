package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"whorl/cmd/whorl/internal/cli"
	"whorl/testdata/must"
)

// TestKLICCompiler compiles the sources of the KLIC compiler with the compiler itself: simulated, on four PEs, and built. WHORL_KLIC is the folder
// with its sources (the folder compiler of KLIC, https://github.com/GunterMueller/KLIC); without it the test is skipped. The results are equal, and
// those for which the folder has the C file that KLIC ships agree with it.
func TestKLICCompiler(t *testing.T) {
	folder := os.Getenv("WHORL_KLIC")
	if folder == "" {
		t.Skip("WHORL_KLIC is not set")
	}
	sources := must.Get(filepath.Glob(filepath.Join(folder, "*.kl1")))(t)
	if len(sources) < 14 {
		t.Fatalf("%s has %d sources", folder, len(sources))
	}
	root := moduleRoot(t)
	t.Setenv("WHORL_SOURCE", root)
	t.Chdir(t.TempDir())
	var names []string
	for _, s := range sources {
		names = append(names, filepath.Base(s))
		must.Do(t, os.WriteFile(filepath.Base(s), must.Get(os.ReadFile(s))(t), 0o644))
	}
	compile := func(args ...string) {
		t.Helper()
		var stderr bytes.Buffer
		if status := cli.Main(args, strings.NewReader(""), &bytes.Buffer{}, &stderr); status != 0 {
			t.Fatalf("%v: exit status %d\n%s", args, status, &stderr)
		}
	}
	results := func() (all []string) {
		for _, n := range names {
			for _, ending := range []string{".c", ".ext"} {
				file := strings.TrimSuffix(n, ".kl1") + ending
				all = append(all, string(must.Get(os.ReadFile(file))(t)))
				must.Do(t, os.Remove(file))
			}
		}
		return all
	}
	program := names
	if !slices.Contains(names, "cmain.kl1") {
		must.Do(t, os.WriteFile("start.kl1", []byte(compilerMain), 0o644))
		program = append(slices.Clone(names), "start.kl1")
	}
	compile(slices.Concat([]string{"run"}, program, []string{"--"}, names)...)
	simulated := results()
	compile(slices.Concat([]string{"run"}, program, []string{"--mode", "live", "--pes", "4", "--"}, names)...)
	if !slices.Equal(results(), simulated) {
		t.Error("four PEs give another result than the simulation")
	}
	compile(slices.Concat([]string{"build"}, program, []string{"-o", "compiler"})...)
	if out, err := exec.Command("./compiler", append([]string{"--pes", "2", "--"}, names...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !slices.Equal(results(), simulated) {
		t.Error("the binary gives another result than the simulation")
	}
	for i, n := range names {
		shipped, err := os.ReadFile(filepath.Join(folder, strings.TrimSuffix(n, ".kl1")+".c"))
		if err != nil {
			continue
		}
		if got, want := comparable(simulated[2*i]), comparable(string(shipped)); !slices.Equal(got, want) {
			t.Errorf("%s: the C file differs from the one that KLIC ships", n)
		}
	}
}

// compilerMain compiles the files of the command line.
const compilerMain = `
:- module main.
main :- unix:argv(Files), compile(Files, normal).
compile([], normal) :- unix:exit(0).
compile([File|Files], normal) :- klic_comp_kl1cmp:klcmp(File, Status), compile(Files, Status).
`

var constant = regexp.MustCompile(`(_const|strconst_body|vectconst_body)_[0-9]+`)

// comparable returns the sorted lines of a C file without its first line, which has the version and the date of the compiler, and without the numbers
// of constants. The order of declarations and constants follows that of atoms, which differs from KLIC's.
func comparable(text string) []string {
	lines := strings.Split(constant.ReplaceAllString(text, "$1"), "\n")[1:]
	slices.Sort(lines)
	return lines
}
