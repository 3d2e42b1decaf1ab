package symbol

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"whorl/tracer"
)

// here returns the program counter to which the call of here returns.
//
//go:noinline
func here() uintptr {
	var pcs [1]uintptr
	runtime.Callers(2, pcs[:])
	return pcs[0]
}

func TestAt(t *testing.T) {
	entry := reflect.ValueOf(here).Pointer()
	if name := Function(entry); name != "symbol.here" {
		t.Errorf("function %q", name)
	}
	call := Locate(here(), entry)
	if call.Function != "symbol.TestAt" || !strings.HasSuffix(call.String(), "symbol_test.go:28") {
		t.Errorf("the call is at %s in %s", call, call.Function)
	}
	if f := Locate(0, entry); f.Function != "symbol.here" || !strings.HasSuffix(f.String(), "symbol_test.go:17") {
		t.Errorf("the function is at %s in %s", f, f.Function)
	}
	if none := Locate(0, 0); none.String() != "a function" {
		t.Errorf("no function is at %q", none)
	}
}

func TestShort(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"main.fib", "main.fib"},
		{"whorl/dts.loop[...]", "dts.loop"},
		{"a/b.f[c/d.T]", "b.f[c/d.T]"},
		{"example.com/x/y.(*T).m.func1", "y.(*T).m.func1"},
	} {
		if got := Short(c.name); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A Table enters a function and a line once, under the name of the registry and of the given source file.
func TestTable(t *testing.T) {
	var dict tracer.Dict
	entry := reflect.ValueOf(here).Pointer()
	given := []tracer.SourceFile{{Name: "given/symbol_test.go", Text: "text"}}
	table := NewTable(&dict, given, func(e uintptr) string {
		if e == entry {
			return "registered"
		}
		return ""
	})
	pc := here()
	function, line := table.Function(entry), table.Line(pc)
	if table.Function(entry) != function || table.Line(pc) != line {
		t.Error("the second entry is another")
	}
	if c := dict.Code(function); c.Name != "registered" || c.File != "given/symbol_test.go" || c.Line != 17 {
		t.Errorf("function %+v", c)
	}
	c := dict.Code(line)
	if c.Type != tracer.Line || c.File != "given/symbol_test.go" || dict.Code(c.Parent).Name != "symbol.TestTable" {
		t.Errorf("line %+v in %+v", c, dict.Code(c.Parent))
	}
	if got := table.Sources(); !reflect.DeepEqual(got, given) {
		t.Errorf("sources %v", got)
	}
}

// A Table reads the files that it has named and was not given.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("b.go", []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	table := NewTable(new(tracer.Dict), nil, nil)
	for _, c := range []struct{ path, want string }{{filepath.Join(dir, "b.go"), "b.go"}, {"/elsewhere/missing.go", "missing.go"}} {
		if name := table.File(c.path); name != c.want {
			t.Errorf("%s is named %q, want %q", c.path, name, c.want)
		}
	}
	if got := table.Sources(); len(got) != 1 || got[0] != (tracer.SourceFile{Name: "b.go", Text: "text"}) {
		t.Errorf("sources %v", got)
	}
}
