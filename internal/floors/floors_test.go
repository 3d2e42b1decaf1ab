package floors

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestModule checks the imports of every package of the module on each platform, and that every row of the table is used.
func TestModule(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	whorl := Whorl()
	var all []Package
	for _, platform := range []struct {
		name    string
		env     []string
		args    []string
		browser bool
	}{
		{name: "linux", env: []string{"GOOS=linux"}},
		{name: "linux with window", env: []string{"GOOS=linux"}, args: []string{"-tags", "window,sound"}},
		{name: "browser", env: []string{"GOOS=js", "GOARCH=wasm"}, browser: true},
	} {
		t.Run(platform.name, func(t *testing.T) {
			pkgs := list(t, platform.env, platform.args)
			ours := 0
			for _, p := range pkgs {
				if _, ok := whorl.inside(p.ImportPath); ok {
					ours++
				}
			}
			if ours < 3 {
				t.Fatalf("the go command listed %d packages of this module", ours)
			}
			all = append(all, pkgs...)
			for _, line := range whorl.Check(pkgs, platform.browser) {
				t.Error(line)
			}
		})
	}
	for _, line := range whorl.Unused(all) {
		t.Error("internal/floors/table_test.go: " + line)
	}
}

func list(t *testing.T, env, args []string) []Package {
	t.Helper()
	cmd := exec.Command("go", append(append([]string{"list", "-deps", "-json=ImportPath,Standard,Imports"}, args...), "./...")...)
	cmd.Dir = "../.."
	cmd.Env = append(append(os.Environ(), "GOFLAGS=-mod=readonly"), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	var pkgs []Package
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p Package
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// TestChecker checks imports that keep the rules and imports that break them.
func TestChecker(t *testing.T) {
	for _, c := range []struct {
		name, pkg, imp string
		browser        bool
		want           string // part of the one line expected, "" for none
	}{
		{name: "down", pkg: "whorl/sim/policy", imp: "whorl/sim"},
		{name: "down within a folder", pkg: "whorl/tracer/derive/spawntree", imp: "whorl/tracer"},
		{name: "family", pkg: "whorl/fghc/engine", imp: "whorl/fghc/compile"},
		{name: "standard library", pkg: "whorl/tracer", imp: "fmt"},
		{name: "up", pkg: "whorl/sim", imp: "whorl/fghc/engine", want: "up from floor 1 to 3"},
		{name: "up within a folder", pkg: "whorl/tracer", imp: "whorl/tracer/store", want: "up from floor 0 to 1"},
		{name: "across", pkg: "whorl/sim/policy", imp: "whorl/tracer/formats/vista", want: "another family on the same floor 2"},
		{name: "runtime to pictures", pkg: "whorl/fghc/engine", imp: "whorl/visual/view", want: "another family"},
		{name: "view to view", pkg: "whorl/visual/views/timeline", imp: "whorl/visual/views/tree", want: "do not import each other"},
		{name: "registry to view", pkg: "whorl/visual/views", imp: "whorl/visual/views/tree"},
		{name: "testdata", pkg: "whorl/fghc/check", imp: "whorl/fghc/testdata/syntaxtest", want: "only tests"},
		{name: "no floor", pkg: "whorl/misc", imp: "fmt", want: "misc has no floor"},
		{name: "import of no floor", pkg: "whorl/sim", imp: "whorl/misc", want: "it has no floor"},
		{name: "outside", pkg: "whorl/cmd/whorl", imp: "github.com/spf13/cobra"},
		{name: "outside, elsewhere", pkg: "whorl/sim", imp: "github.com/spf13/cobra", want: "used only in cmd/whorl/..."},
		{name: "outside, unknown", pkg: "whorl/sim", imp: "example.com/clever", want: "no row"},
		{name: "outside, same letters", pkg: "whorl/cmd/whorl", imp: "github.com/spf13/cobra2", want: "no row"},
		{name: "native", pkg: "whorl/experiment", imp: "whorl/dts/cluster"},
		{name: "native in the browser", pkg: "whorl/experiment", imp: "whorl/dts/cluster", browser: true, want: "not for the browser"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Whorl().Check([]Package{{ImportPath: "fmt", Standard: true}, {ImportPath: c.pkg, Imports: []string{c.imp}}}, c.browser)
			switch {
			case c.want == "" && len(got) > 0:
				t.Errorf("%q should be allowed", got)
			case c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)):
				t.Errorf("got %q, want one line with %q", got, c.want)
			}
		})
	}
}

// TestLongestRow checks packages that match two rows.
func TestLongestRow(t *testing.T) {
	w := Whorl()
	for _, c := range []struct {
		name  string
		floor int
	}{{"dts", 3}, {"dts/cluster", 4}, {"sim/policy", 2}, {"tracer", 0}, {"tracer/store", 1}, {"fghc/engine/gc", 3}} {
		if r := w.row(c.name); r == nil || r.Floor != c.floor {
			t.Errorf("%s: row %v, want floor %d", c.name, r, c.floor)
		}
	}
	if r := w.row("simian"); r != nil {
		t.Errorf("simian: row %v, want none", r)
	}
}

func TestUnused(t *testing.T) {
	c := &Checker{
		Module: "m", Rows: []Row{{Pattern: "a/..."}, {Pattern: "b"}},
		Outside: []Outside{{Prefix: "example.com/x", In: []string{"a"}}, {Prefix: "example.com/y", In: []string{"a"}}},
	}
	got := c.Unused([]Package{{ImportPath: "m/a/c", Imports: []string{"example.com/x/sub"}}})
	if want := []string{"b matches no package", "example.com/y is imported by no package"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
