package report_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/report"
)

// listPattern matches a line of go tool pprof -list: flat and cumulative values, "." for none, the number of the line and its text.
var listPattern = regexp.MustCompile(`^\s*([\d.]+)(?:ns)?\s+([\d.]+)(?:ns)?\s+(\d+):(.*)$`)

// pprofList returns the values of the lines that go tool pprof -list prints, by the text of the line.
func pprofList(t *testing.T, path, function string) map[string]topLine {
	t.Helper()
	cmd := osexec.Command("go", "tool", "pprof", "-list="+function, "-sample_index=cpu", "-unit=ns", path)
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir(), "PPROF_BINARY_PATH="+t.TempDir())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	number := func(s string) float64 {
		if s == "." {
			return 0
		}
		return must.Get(strconv.ParseFloat(s, 64))(t)
	}
	lines := map[string]topLine{}
	for line := range strings.Lines(string(out)) {
		if m := listPattern.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			if v := (topLine{number(m[1]), number(m[2])}); v != (topLine{}) {
				lines[m[4]] = v
			}
		}
	}
	return lines
}

// moved gives the functions of a profile files in a folder, one each, in which every line has a text of its own.
func moved(t *testing.T, path string) string {
	t.Helper()
	p := must.Get(profile.ParseData(must.Get(os.ReadFile(path))(t)))(t)
	dir := filepath.Dir(path)
	for _, f := range p.Function {
		f.Filename = filepath.Join(dir, f.Name+".go")
		text := ""
		for n := range 3 {
			text += fmt.Sprintf("%s line %d\n", f.Name, n+1)
		}
		must.Do(t, os.WriteFile(f.Filename, []byte(text), 0o644))
	}
	f := must.Get(os.Create(path))(t)
	must.Do(t, p.Write(f))
	must.Do(t, f.Close())
	return path
}

// TestAnnotateIsThatOfPprof checks the values of lines against go tool pprof -list.
func TestAnnotateIsThatOfPprof(t *testing.T) {
	if _, err := osexec.LookPath("go"); err != nil {
		t.Skip("the go command is not installed")
	}
	for seed := range uint64(3) {
		path := moved(t, randomProfile(t, seed))
		src := opened(t, path)
		lines := 0
		for k := range 9 {
			function := fmt.Sprintf("pkg%d.f%d", k%3, k)
			want := pprofList(t, path, "^"+function+"$")
			a, err := report.Annotate("random", src, report.ProfileQuery{Metric: "cpu"}, false, regexp.MustCompile("^"+regexp.QuoteMeta(function)+"$"))
			if err != nil {
				if len(want) > 0 {
					t.Errorf("%s: %v", function, err)
				}
				continue
			}
			for _, f := range a.Functions {
				for _, l := range f.Lines {
					text := fmt.Sprintf("%s line %d", function, l.Line)
					if w := want[text]; w.flat != l.Exclusive || w.cum != l.Inclusive {
						t.Errorf("%s: %v and %v, go tool pprof prints %v", text, l.Exclusive, l.Inclusive, w)
					}
					delete(want, text)
					lines++
				}
			}
			for _, text := range slices.Sorted(maps.Keys(want)) {
				t.Errorf("%s with %v is missing", text, want[text])
			}
		}
		if lines == 0 {
			t.Error("there are no lines")
		}
	}
}

// annotated returns a trace of two processes. The function f has lines 4 to 7 of a.go. Line 5 takes 5 ticks, 3 of them in an instruction. Line 6 calls
// g, which has no lines.
func annotated(t *testing.T) tracer.Source {
	m := tracer.NewMemory()
	var text strings.Builder
	for n := range 9 {
		fmt.Fprintf(&text, "\tline %d\n", n+1)
	}
	m.SetMeta(tracer.Meta{Program: "p", PEs: 2, Source: []tracer.SourceFile{{Name: "a.go", Text: text.String()}}})
	d := m.Dict()
	ticks := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	f, g := d.Add(tracer.Code{Type: tracer.Function, Name: "f", File: "a.go", Line: 4, Children: 4}), d.Add(tracer.Code{Type: tracer.Function, Name: "g"})
	line := d.Add(tracer.Code{Type: tracer.Line, File: "a.go", Line: 5, Parent: f})
	add := d.Add(tracer.Code{Type: tracer.Instruction, Name: "add", Line: 1, Parent: line})
	call := d.Add(tracer.Code{Type: tracer.Line, File: "a.go", Line: 6, Parent: f})
	s := m.Stream(tracer.StreamInfo{})
	sample := func(pe int32, n int64, path ...uint32) {
		at := uint32(0)
		for _, code := range path {
			at = d.AddContext(tracer.Context{Parent: at, Code: code})
		}
		*s.Slot() = tracer.Event{Kind: tracer.Sample, PE: pe, Ref: uint64(at), Code: ticks, Value: n}
	}
	sample(0, 2, line)
	sample(0, 3, add)
	sample(1, 4, call, g)
	must.Do(t, m.Close())
	return m
}

// TestAnnotate shows a function with its lines, instructions, and the lines around them, and one without lines.
func TestAnnotate(t *testing.T) {
	table := func(q report.ProfileQuery, cumulative bool, functions string) string {
		a := must.Get(report.Annotate("p", annotated(t), q, cumulative, regexp.MustCompile(functions)))(t)
		var b bytes.Buffer
		must.Do(t, a.WriteTable(&b, a.Cut(1)))
		return b.String()
	}
	for _, c := range []struct {
		name, want string
	}{
		{table(report.ProfileQuery{}, false, "f|g"), `p: 9 ticks in 2 processes

f in a.go: exclusive 5 (55.6 %), inclusive 9 (100.0 %)

  exclusive  inclusive  line
          .          .     4      line 4
          5          5     5      line 5
          3          3            | add
          .          4     6      line 6
          .          .     7      line 7

1 function with smaller values
`},
		{table(report.ProfileQuery{Processes: "1"}, false, "^g$"), `p: 4 ticks in 1 process

g: exclusive 4 (100.0 %), inclusive 4 (100.0 %)

  exclusive  inclusive  line
          4          4        (line unknown)
`},
	} {
		if c.name != c.want {
			t.Errorf("got\n%s\nwant\n%s", c.name, c.want)
		}
	}
	if _, err := report.Annotate("p", annotated(t), report.ProfileQuery{}, false, regexp.MustCompile("h")); err == nil || !strings.Contains(err.Error(), `no function matches "h"`) {
		t.Errorf("the error is %v", err)
	}
	a := must.Get(report.Annotate("p", annotated(t), report.ProfileQuery{}, true, regexp.MustCompile("")))(t)
	var b bytes.Buffer
	must.Do(t, a.WriteCSV(&b))
	if want := "f,a.go,5,instruction,add,3,3\n"; !strings.Contains(b.String(), want) {
		t.Errorf("no line %q in\n%s", want, b.String())
	}
}
