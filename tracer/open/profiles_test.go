package open_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/internal/files"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/tracer/testdata/tracertest"
)

// TestDatabase opens a database of HPCToolkit, which is a folder, and a folder with a database for each host, which is one trace.
func TestDatabase(t *testing.T) {
	const foo = "../../testdata/profiles/foo.d"
	dir := t.TempDir()
	for _, host := range []string{"node2", "node10"} {
		must.Do(t, os.CopyFS(filepath.Join(dir, host), os.DirFS(foo)))
	}
	for _, c := range []struct {
		path  string
		merge string
		hosts []string
	}{
		{foo, "", []string{"node 7f0101", "node 7f0101", "node 7f0101"}},
		{foo, "process", []string{"node 7f0101", "node 7f0101"}},
		{dir, "host", []string{"node2 node 7f0101", "node10 node 7f0101"}},
	} {
		trace := must.Get(open.Files([]string{c.path}, "", open.Options{Merge: c.merge}))(t)
		meta := trace.Meta()
		if meta.PEs != len(c.hosts) || meta.Program != "foo" {
			t.Errorf("%s merged to %q: %d processors of %q", c.path, c.merge, meta.PEs, meta.Program)
		}
		for i, p := range meta.PEInfo {
			if i < len(c.hosts) && p.Host != c.hosts[i] {
				t.Errorf("%s merged to %q: processor %d is on %q, want %q", c.path, c.merge, i, p.Host, c.hosts[i])
			}
		}
		must.Do(t, trace.Close())
	}
}

// TestMissingInFiles opens several profiles: Missing names the damaged file, not the first one.
func TestMissingInFiles(t *testing.T) {
	dir := t.TempDir()
	whole, damaged := filepath.Join(dir, "rank2.txt"), filepath.Join(dir, "rank10.txt")
	for _, c := range []struct{ path, text string }{{whole, "a;b;c 4\na;b 2\n"}, {damaged, "a;b;c 3\nx;"}} {
		must.Do(t, os.WriteFile(c.path, []byte(c.text), 0o666))
	}
	cut := "the end of " + damaged + ": line 2 has no count and no end, so the file is cut"
	for _, c := range []struct {
		paths         []string
		name, missing string
	}{
		{[]string{dir}, dir, cut},
		{[]string{damaged, whole}, whole + " and 1 more", cut},
		{[]string{damaged}, damaged, cut},
		{[]string{whole}, whole, ""},
	} {
		trace := must.Get(open.Files(c.paths, "", open.Options{}))(t)
		if trace.Path != c.name || trace.Missing != c.missing {
			t.Errorf("%s: %q lacks %q, want %q and %q", c.paths, trace.Path, trace.Missing, c.name, c.missing)
		}
		must.Do(t, trace.Close())
	}
}

// TestProgram checks that the program of a trace of VISTA names its clauses, and that other traces refuse it.
func TestProgram(t *testing.T) {
	dict := &tracer.Dict{}
	for i := range 6 {
		dict.Add(tracer.Code{Type: tracer.Clause, Name: "p/1", File: "p.fghc", Line: int32(i + 1)})
	}
	o := open.Options{Program: &open.Program{Name: "p.fghc", Clauses: dict, Source: []tracer.SourceFile{{Name: "p.fghc", Text: "p(1).\n"}}}}
	set := open.Set{Paths: []string{"../../testdata/traces/quicksort.vista"}}
	m := tracer.NewMemory()
	if _, err := set.Record(m, o); err != nil {
		t.Fatal(err)
	}
	for i, got := range []tracer.Meta{m.Meta(), must.Get(open.Files(set.Paths, "", o))(t).Meta()} {
		name := []string{"recorded", "opened"}[i]
		if got.Program != "p.fghc" || len(got.Source) != 1 {
			t.Errorf("%s: program %q with %d files", name, got.Program, len(got.Source))
		}
	}
	if c := m.Dict().Code(1); c.Name != "p/1" || c.Line == 0 {
		t.Errorf("code 1 is %+v", c)
	}
	other := open.Set{Paths: []string{"../../testdata/traces/two-nodes.dtslog"}}
	if _, err := other.Record(tracer.NewMemory(), o); err == nil || !strings.Contains(err.Error(), "names its code itself") {
		t.Errorf("the error for a log is %v", err)
	}
	absent := open.Set{Paths: []string{"absent.vista"}}
	if _, err := absent.Record(tracer.NewMemory(), o); err == nil {
		t.Error("no error for an absent file")
	}
}

// TestApart: two profiles of one program that the user names are two traces, in the order of their names on the command line; those of two
// programs, three profiles and the profiles of a pattern are one.
func TestApart(t *testing.T) {
	dir := t.TempDir()
	write := func(name, stacks string) string {
		path := filepath.Join(dir, name+".collapsed")
		must.Do(t, os.WriteFile(path, []byte(stacks), 0o600))
		return path
	}
	old, fresh := write("old", "main;solve;sweep 12\nmain;solve;norm 3\n"), write("new", "main;solve;sweep 7\nmain;solve;fast 2\nmain;check 1\n")
	other := write("other", "start;read 4\nstart;write 9\nmain 1\n")
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{[]string{old, fresh}, "old new"},
		{[]string{old, other}, "1 of 2"},
		{[]string{old, fresh, other}, "1 of 3"},
		{[]string{filepath.Join(dir, "[on]*w*")}, "new"},
		{[]string{filepath.Join(dir, "*[dw].collapsed")}, "1 of 2"},
		{[]string{old}, "old"},
	} {
		var names []string
		for _, s := range open.Apart(c.paths, open.Options{}) {
			if len(s.Paths) > 1 {
				names = append(names, fmt.Sprintf("1 of %d", len(s.Paths)))
				continue
			}
			names = append(names, s.Name())
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%q: %s, want %s", c.paths, got, c.want)
		}
	}
}

// TestByLabel opens a converted profile with the values of a label as processors: they are those of the profile itself.
func TestByLabel(t *testing.T) {
	m := tracer.NewMemory()
	must.Do(t, tracer.ReadText(strings.NewReader(labelledText), m))
	must.Do(t, m.Close())
	dir := t.TempDir()
	labelled, path := filepath.Join(dir, "t.pb.gz"), filepath.Join(dir, "t.whorl")
	must.Do(t, open.Export(new(files.Writer), m, labelled, "pprof"))
	whole := must.Get(open.Files([]string{labelled}, "", open.Options{}))(t)
	must.Do(t, open.Export(new(files.Writer), whole, path, "whorl"))
	sums := func(path string, label string) map[string]int64 {
		trace := must.Get(open.Files([]string{path}, "", open.Options{Processor: label}))(t)
		defer trace.Close()
		sums := map[string]int64{}
		for _, e := range tracertest.Events(t, trace, tracer.Kinds(tracer.Sample, tracer.Init)) {
			p := trace.Meta().PEInfo[e.PE]
			sums[fmt.Sprint(e.PE, p.Process, p.Thread, e.Kind, trace.Dict().Code(e.Code).Name)] += e.Value
		}
		return sums
	}
	for _, label := range []string{"worker", "job"} {
		if got, want := sums(path, label), sums(labelled, label); !maps.Equal(got, want) || len(want) < 4 {
			t.Errorf("%s: %v, want %v", label, got, want)
		}
	}
	if _, err := open.Files([]string{path}, "", open.Options{Processor: "workers"}); err == nil || !strings.Contains(err.Error(), `unknown label "workers"; did you mean worker?`) {
		t.Error(err)
	}
}

const labelledText = `whorl 1
meta program="server" substrate="pprof" clock="aligned" pes=1
stream 0 name="server"
code 1 type="metric" name="cpu" unit="ns" scale=1
code 2 type="function" name="serve"
code 3 type="label" name="worker"
code 4 type="label" name="worker:9" parent=3 scale=1
code 5 type="label" name="worker:10" parent=3 scale=1
code 6 type="label" name="job"
code 7 type="label" name="job:build" parent=6
context 1 code=2
context 2 code=4
context 3 code=5
context 4 parent=3 code=7
0 Init pe=0
0 Sample pe=0 ref=1 peer=2 code=1 value=1
0 Sample pe=0 ref=1 peer=3 code=1 value=2
0 Sample pe=0 ref=1 peer=4 code=1 value=4
0 Sample pe=0 ref=1 code=1 value=8
`
