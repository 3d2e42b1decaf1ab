package build

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"whorl"
	"whorl/fghc/check"
	"whorl/testdata/must"
)

// TestSource checks that whorl.Source has every file that built programs need, and that they need no other module.
func TestSource(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,GoFiles,EmbedFiles", "whorl/fghc/standalone").Output()
	if err != nil {
		t.Skip(err)
	}
	folders := map[string]bool{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath          string
			Standard            bool
			GoFiles, EmbedFiles []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Standard {
			continue
		}
		dir, own := strings.CutPrefix(p.ImportPath, "whorl/")
		if !own {
			t.Errorf("a built program would need %s", p.ImportPath)
		}
		folders[dir] = true
		for _, name := range append(p.GoFiles, p.EmbedFiles...) {
			if _, err := whorl.Source.Open(path.Join(dir, name)); err != nil {
				t.Errorf("source.go lacks %s", path.Join(dir, name))
			}
		}
	}
	if len(folders) < 10 {
		t.Errorf("a built program consists of %d packages: %v", len(folders), folders)
	}
}

var update = flag.Bool("update", false, "write examples/append/main.go")

// TestExample checks that examples/append/main.go is the main package that whorl build compiles for append.fghc.
func TestExample(t *testing.T) {
	const folder = "../../../../examples/append/"
	text := must.Get(os.ReadFile(folder + "append.fghc"))(t)
	p := &Program{Name: "append.fghc", Files: []check.Source{{Name: "append.fghc", Text: string(text)}}, Goal: "append([1,2], [3], X)"}
	var got bytes.Buffer
	must.Do(t, p.source(&got))
	if *update {
		must.Do(t, os.WriteFile(folder+"main.go", got.Bytes(), 0o666))
	}
	if want, err := os.ReadFile(folder + "main.go"); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%smain.go is out of date (%v): go test ./cmd/whorl/internal/build -update writes it", folder, err)
	}
}

// TestVersion checks that Go is the version in go.mod.
func TestVersion(t *testing.T) {
	f := must.Get(os.Open("../../../../go.mod"))(t)
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if v, ok := strings.CutPrefix(lines.Text(), "go "); ok {
			if v != Go && !strings.HasPrefix(v, Go+".") {
				t.Errorf("go.mod says %s, Go is %s", v, Go)
			}
			return
		}
	}
	t.Error("go.mod names no version")
}

// BenchmarkWrite measures building a small program whose packages are already compiled.
func BenchmarkWrite(b *testing.B) {
	p := &Program{Name: "p.fghc", Files: []check.Source{{Name: "p.fghc", Text: "p(X) :- X = 1.\n"}}, Goal: "p(X)"}
	if err := p.Write(b.Context(), io.Discard); err != nil {
		b.Skip(err)
	}
	for b.Loop() {
		must.Do(b, p.Write(b.Context(), io.Discard))
	}
}

// TestModule checks that the second call finds the folder of the first and leaves it unchanged.
func TestModule(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", os.Getenv("XDG_CACHE_HOME"))
	first := must.Get(module())(t)
	mark := filepath.Join(first, "mark")
	must.Do(t, os.WriteFile(mark, nil, 0o600))
	again, err := module()
	if err != nil || again != first {
		t.Errorf("written to %s, then to %s: %v", first, again, err)
	}
	if _, err := os.Stat(mark); err != nil {
		t.Error(err)
	}
	if tests, _ := filepath.Glob(filepath.Join(first, "fghc", "emulator", "*_test.go")); len(tests) > 0 {
		t.Errorf("the module contains tests: %v", tests)
	}
	beside, err := os.ReadDir(filepath.Dir(first))
	if err != nil || len(beside) != 1 {
		t.Errorf("the folder of the module contains %v: %v", beside, err)
	}
}

// TestInWorkspace checks that a folder without a module is built with the user's flags of the go command, except those that a workspace refuses.
func TestInWorkspace(t *testing.T) {
	for _, c := range []struct{ flags, want string }{
		{"", "-mod=readonly"},
		{"-mod=mod -trimpath", "-mod=readonly -trimpath"},
		{" --modfile=x.mod  -tags=a,b -v ", "-mod=readonly -tags=a,b -v"},
	} {
		if got := inWorkspace(c.flags); got != c.want {
			t.Errorf("%q: %q, want %q", c.flags, got, c.want)
		}
	}
}
