package report_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
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
	"whorl/tracer/open"
	"whorl/tracer/report"
)

// opened opens a profile.
func opened(t *testing.T, path string) tracer.Source {
	t.Helper()
	trace := must.Get(open.File(path))(t)
	t.Cleanup(func() { trace.Close() })
	return trace
}

// randomProfile writes a profile with recursive calls, inlined functions and two kinds of values.
func randomProfile(t *testing.T, seed uint64) string {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "alloc", Unit: "bytes"}, {Type: "cpu", Unit: "nanoseconds"}},
		Mapping:    []*profile.Mapping{{ID: 1, Start: 0x1000, Limit: 0x9000, File: "prog", HasFunctions: true, HasFilenames: true, HasLineNumbers: true, HasInlineFrames: true}},
	}
	for k := range 9 {
		name := fmt.Sprintf("pkg%d.f%d", k%3, k)
		p.Function = append(p.Function, &profile.Function{ID: uint64(k + 1), Name: name, SystemName: name, Filename: fmt.Sprintf("/src/pkg%d/a%d.go", k%3, k%2)})
	}
	for k := range 24 {
		l := &profile.Location{ID: uint64(k + 1), Mapping: p.Mapping[0], Address: 0x1000 + uint64(k)*16}
		for range 1 + r.IntN(2) {
			l.Line = append(l.Line, profile.Line{Function: p.Function[r.IntN(9)], Line: int64(1 + r.IntN(3))})
		}
		p.Location = append(p.Location, l)
	}
	for range 60 {
		s := &profile.Sample{Value: []int64{int64(r.IntN(3)) * 512, int64(r.IntN(40)) * 1000}}
		for range 1 + r.IntN(6) {
			s.Location = append(s.Location, p.Location[r.IntN(24)])
		}
		label(r, s)
		p.Sample = append(p.Sample, s)
	}
	path := filepath.Join(t.TempDir(), "random.pb.gz")
	f := must.Get(os.Create(path))(t)
	must.Do(t, p.Write(f))
	must.Do(t, f.Close())
	return path
}

// A topLine is a line of go tool pprof -top.
type topLine struct {
	flat, cum float64
}

var topPattern = regexp.MustCompile(`^\s*(-?[\d.]+)\w*\s+[\d.]+%?\s+[\d.]+%?\s+(-?[\d.]+)\w*\s+[\d.]+%?\s{2}(.*)$`)

// pprofTop returns the lines of go tool pprof -top by name.
func pprofTop(t *testing.T, path string, args ...string) map[string]topLine {
	t.Helper()
	cmd := osexec.Command("go", append(append([]string{"tool", "pprof", "-top", "-nodefraction=0", "-nodecount=100000"}, args...), path)...)
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir(), "PPROF_BINARY_PATH="+t.TempDir())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]topLine{}
	for line := range strings.Lines(string(out)) {
		if m := topPattern.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			lines[strings.TrimSuffix(strings.TrimSuffix(m[3], " (inline)"), " (partial-inline)")] = topLine{must.Get(strconv.ParseFloat(m[1], 64))(t), must.Get(strconv.ParseFloat(m[2], 64))(t)}
		}
	}
	return lines
}

// TestTopIsThatOfPprof checks the flat profile against go tool pprof.
func TestTopIsThatOfPprof(t *testing.T) {
	if _, err := osexec.LookPath("go"); err != nil {
		t.Skip("the go command is not installed")
	}
	paths := []string{"../../testdata/profiles/go.pb.gz", randomProfile(t, 1), randomProfile(t, 2), randomProfile(t, 3)}
	re := func(s string) *regexp.Regexp { return regexp.MustCompile(s) }
	for _, c := range []struct {
		args  []string
		query report.ProfileQuery
	}{
		{nil, report.ProfileQuery{By: "function"}},
		{[]string{"-lines"}, report.ProfileQuery{By: "line"}},
		{[]string{"-files"}, report.ProfileQuery{By: "file"}},
		{[]string{"-focus=f2|compute", "-ignore=f5"}, report.ProfileQuery{By: "function", Focus: re("f2|compute"), Ignore: re("f5")}},
		{[]string{"-hide=f[13]|runtime"}, report.ProfileQuery{By: "function", Hide: re("f[13]|runtime")}},
		{[]string{"-show=f[024]|testing"}, report.ProfileQuery{By: "function", Show: re("f[024]|testing")}},
		{[]string{"-focus=a1.go|main.go"}, report.ProfileQuery{By: "function", Focus: re("a1.go|main.go")}},
	} {
		for _, path := range paths {
			q := c.query
			q.Metric = "cpu"
			top := must.Get(report.TopOf([]string{path}, []tracer.Source{opened(t, path)}, q, false))(t)
			want := pprofTop(t, path, append([]string{"-sample_index=cpu", "-unit=ns"}, c.args...)...)
			sameRows(t, fmt.Sprint(filepath.Base(path), " ", c.args), top, want, func(name string) string { return name })
		}
	}
}

// sameRows compares a flat profile with that of go tool pprof. name returns the name that pprof has for a row.
func sameRows(t *testing.T, what string, top *report.Top, want map[string]topLine, name func(row string) string) {
	t.Helper()
	if len(want) == 0 {
		t.Fatalf("%s: go tool pprof prints nothing", what)
	}
	for _, r := range top.Rows {
		w, ok := want[name(r.Name)]
		if !ok || w.flat != r.Exclusive[0] || w.cum != r.Inclusive[0] {
			t.Errorf("%s: %s has %v and %v, go tool pprof prints %v, %v", what, r.Name, r.Exclusive[0], r.Inclusive[0], w, ok)
		}
		delete(want, name(r.Name))
	}
	for name, w := range want {
		if w.flat != 0 || w.cum != 0 {
			t.Errorf("%s: %s with %v is missing", what, name, w)
		}
	}
}

// TestTopOrder checks the order of rows, also of two runs, and the processes of each.
func TestTopOrder(t *testing.T) {
	for _, c := range []struct {
		cumulative bool
		want       string
	}{{false, "work wait main"}, {true, "main work wait"}} {
		top := must.Get(report.TopOf([]string{"a"}, []tracer.Source{report.Sampled(t, "ticks", [3]int64{1, 10, 0}, [3]int64{1, 30, 4})}, report.ProfileQuery{By: "function"}, c.cumulative))(t)
		var names []string
		for _, r := range top.Rows {
			names = append(names, r.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%v: %s", c.cumulative, got)
		}
		if k := slices.Index(names, "work"); *top.Rows[k].Processes != (report.TopProcess{Least: 20, Mean: 40, Most: 60, Of: "1"}) {
			t.Errorf("%+v", top.Rows[k].Processes)
		}
	}
	a, b := report.Sampled(t, "ticks", [3]int64{1, 10, 0}), report.Sampled(t, "ticks", [3]int64{2, 4, 5})
	top := must.Get(report.TopOf([]string{"a", "b"}, []tracer.Source{a, b}, report.ProfileQuery{By: "context"}, false))(t)
	var out bytes.Buffer
	must.Do(t, top.WriteTable(&out, top.Cut(2)))
	const want = `A  a: 22 ticks in 1 process
B  b: 22 ticks in 1 process

  exclusive A   B  B - A  inclusive A   B  B - A  context
           20   8    -12           20   8    -12  main > work
            0  10    +10            0  10    +10  main > wait

1 context with smaller differences
`
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", &out, want)
	}
}

// TestCallersAreThoseOfPprof checks callers and callees against go tool pprof.
func TestCallersAreThoseOfPprof(t *testing.T) {
	if _, err := osexec.LookPath("go"); err != nil {
		t.Skip("the go command is not installed")
	}
	for _, path := range []string{"../../testdata/profiles/go.pb.gz", randomProfile(t, 4), randomProfile(t, 5)} {
		want := map[string]bool{}
		for _, c := range pprofCalls(t, path) {
			want[c] = true
		}
		got := must.Get(report.CallersOf(path, opened(t, path), report.ProfileQuery{By: "function", Metric: "cpu"}, false, nil))(t)
		calls := 0
		check := func(x string) {
			calls++
			if !want[x] {
				t.Errorf("%s: go tool pprof does not print %s", filepath.Base(path), x)
			}
		}
		for _, r := range got.Rows {
			for _, x := range r.Callers {
				check(fmt.Sprint(x.Name, " calls ", r.Name, " ", x.Value))
			}
			for _, x := range r.Callees {
				check(fmt.Sprint(r.Name, " calls ", x.Name, " ", x.Value))
			}
		}
		if calls != 2*len(want) || calls == 0 {
			t.Errorf("%s: %d calls, go tool pprof prints %d", filepath.Base(path), calls, 2*len(want))
		}
	}
}

var (
	callPattern = regexp.MustCompile(`^\s*([\d.]+)\w*\s+[\d.]+% \|   (.*)$`)
	rowPattern  = regexp.MustCompile(`^\s*[\d.]+\w*\s+[\d.]+%?\s+[\d.]+%\s+[\d.]+\w*\s+[\d.]+%?\s+\| (.*)$`)
)

// pprofCalls returns the calls that go tool pprof -tree prints, except those of a function by itself and those without a value.
func pprofCalls(t *testing.T, path string) (all []string) {
	t.Helper()
	cmd := osexec.Command("go", "tool", "pprof", "-tree", "-nodefraction=0", "-edgefraction=0", "-nodecount=100000", "-sample_index=cpu", "-unit=ns", path)
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir(), "PPROF_BINARY_PATH="+t.TempDir())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	plain := func(name string) string {
		return strings.TrimSuffix(strings.TrimSuffix(name, " (inline)"), " (partial-inline)")
	}
	row := ""
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "----") {
			row = ""
		} else if m := rowPattern.FindStringSubmatch(line); m != nil {
			row = plain(m[1])
		} else if m := callPattern.FindStringSubmatch(line); m != nil && row != "" { // a callee; callers stand before the row
			if v := must.Get(strconv.ParseFloat(m[1], 64))(t); v != 0 && plain(m[2]) != row {
				all = append(all, fmt.Sprint(row, " calls ", plain(m[2]), " ", v))
			}
		}
	}
	return all
}
