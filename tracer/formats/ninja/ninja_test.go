//go:build !js

package ninja

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/waits"
	"whorl/tracer/testdata/tracertest"
)

const samples = "../../../testdata/ninja"

func readIn(t testing.TB, folder fs.FS, o Options) *tracer.Memory {
	t.Helper()
	m := tracer.NewMemory()
	must.Do(t, ReadIn(folder, ".ninja_log", m, o))
	must.Do(t, m.Close())
	return m
}

// run describes an action of a trace.
type run struct {
	from, to int64
	by       string
}

// runs returns the actions of a trace by their names, and the names.
func runs(t testing.TB, m *tracer.Memory) map[string]run {
	t.Helper()
	names, all := map[uint64]string{}, map[string]run{}
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Fork, tracer.Start, tracer.End)) {
		name := m.Dict().Code(e.Code).Name
		r := all[name]
		switch e.Kind {
		case tracer.Fork:
			names[e.Task] = name
			r.by = names[e.Ref]
		case tracer.Start:
			r.from = e.Time
		case tracer.End:
			r.to = e.Time
		}
		all[name] = r
	}
	return all
}

// TestRead reads a build by Ninja. The times are those of the log; the library was made after its slowest file.
func TestRead(t *testing.T) {
	m := readIn(t, os.DirFS(samples), Options{})
	meta := m.Meta()
	if meta.Missing() != "" || meta.Program != "ninja" || meta.Args[0] != "app" || meta.PEs != 3 {
		t.Errorf("%+v, missing %q", meta, meta.Missing())
	}
	want := map[string]run{
		"obj/main.o": {1e6, 80e6, ""}, "gen.h": {1e6, 103e6, ""}, "obj/b c.o": {104e6, 144e6, "gen.h"}, "obj/a.o": {103e6, 183e6, "gen.h"},
		"obj/slow.o": {105e6, 475e6, "gen.h"}, "lib.a": {475e6, 603e6, "obj/slow.o"}, "app": {603e6, 638e6, "lib.a"},
	}
	if d := cmp.Diff(want, runs(t, m), cmp.AllowUnexported(run{})); d != "" {
		t.Error(d)
	}
	w := must.Get(waits.Build(m, nil))(t)
	p := must.Get(w.Path(m, 0, 0, nil))(t)
	if p.Sum(waits.Runs) != 102e6+370e6+128e6+35e6 || p.Sum(waits.Queue) != 2e6 || p.Hops != 3 {
		t.Errorf("the path runs for %d, waits for a slot for %d, in %d hops", p.Sum(waits.Runs), p.Sum(waits.Queue), p.Hops)
	}
}

// TestGraph compares the dependencies of each output with those that ninja -t graph prints.
func TestGraph(t *testing.T) {
	labels, into := map[string]string{}, map[string][]string{}
	node, arrow := regexp.MustCompile(`^"(\w+)" \[label="([^"]*)"(, shape=ellipse)?\]`), regexp.MustCompile(`^"(\w+)" -> "(\w+)"`)
	for line := range strings.Lines(string(must.Get(os.ReadFile("testdata/graph.dot"))(t))) {
		if x := node.FindStringSubmatch(line); x != nil && x[3] == "" {
			labels[x[1]] = x[2]
		} else if x := arrow.FindStringSubmatch(line); x != nil {
			into[x[2]] = append(into[x[2]], x[1])
		}
	}
	want := map[string]bool{}
	for n, out := range labels {
		for _, in := range into[n] {
			if labels[in] != "" {
				want[labels[in]+" -> "+out] = true
				continue
			}
			for _, in := range into[in] { // of an edge with several inputs or outputs
				want[labels[in]+" -> "+out] = true
			}
		}
	}
	g := newGraph()
	must.Do(t, g.read(os.DirFS(samples), manifestFile))
	names := make([]string, len(g.paths))
	for name, n := range g.paths {
		names[n] = name
	}
	got := map[string]bool{}
	for out, e := range g.maker {
		for _, in := range g.all[g.inputs[e].from:g.inputs[e].to] {
			if names[out] != "gen.txt" { // which nothing needs, so that ninja leaves it out
				got[names[in]+" -> "+names[out]] = true
			}
		}
	}
	if d := cmp.Diff(want, got); d != "" || len(want) < 10 {
		t.Errorf("ninja -t graph has -, the graph has +: %s", d)
	}
	found := false
	for _, in := range g.more[g.maker[g.path("obj/a.o")]] {
		found = found || names[in] == "gen.h"
	}
	if !found {
		t.Error("the header that the compiler reported is no input")
	}
}

// folder returns a folder of texts.
func folder(files ...string) fstest.MapFS {
	f := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		f[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return f
}

const twoRuns = "# ninja log v5\n0\t900\t1\told\tab\n0\t100\t1\ta\tab\n100\t200\t1\tb\tac\n"

func TestParts(t *testing.T) {
	for _, c := range []struct {
		name, manifest, missing string
		o                       Options
		want                    map[string]string // the parent of each forked action
	}{
		{"no graph", "", "dependencies are unknown: there is no build.ninja beside the log; 1 action of earlier runs", Options{}, map[string]string{"a": "", "b": ""}},
		{"earlier", "build b: x a", "1 action of earlier runs", Options{}, map[string]string{"a": "", "b": "a"}},
		{"from a byte", "build b: x a", "", Options{Offset: 30}, map[string]string{"a": "", "b": "a"}},
		{"phony", "build b: x ||  p\nbuild p q: phony r\nbuild r: phony q a", "1 action of earlier runs", Options{}, map[string]string{"a": "", "b": "a"}},
		{"validation", "build b: x c |@ a", "1 action of earlier runs", Options{}, map[string]string{"a": "", "b": ""}},
		{"dynamic", "build b: x c || d\n dyndep = d\n", "1 action of earlier runs", Options{}, map[string]string{"a": "", "b": "a"}},
		{"not there", "include none\nbuild b: x a", "1 action of earlier runs; 1 file of the graph that cannot be read", Options{}, map[string]string{"a": "", "b": "a"}},
		{
			"damage", "build a: x\nbuild b: x ${v}a\nv = 1\n\nwrong\n", "build.ninja:5: expected build, rule, pool, default, include, subninja or NAME = VALUE; 1 action of earlier runs",
			Options{},
			map[string]string{"a": "", "b": "a"},
		},
		{"no rule", "build b\n", "dependencies are unknown: build.ninja:1: expected : and a rule after the outputs; 1 action of earlier runs", Options{}, map[string]string{"a": "", "b": ""}},
	} {
		f := folder(".ninja_log", twoRuns, "d", "ninja_dyndep_version = 1\nbuild a | m: dyndep\nbuild b: dyndep | m\n")
		if c.manifest != "" {
			f["build.ninja"] = &fstest.MapFile{Data: []byte(c.manifest + "\nbuild a: x\n")}
		}
		m := readIn(t, f, c.o)
		got := map[string]string{}
		for name, r := range runs(t, m) {
			got[name] = r.by
		}
		meta := m.Meta()
		if d := cmp.Diff(c.want, got); d != "" || meta.Missing() != c.missing {
			t.Errorf("%s: missing %q, %s", c.name, meta.Missing(), d)
		}
	}
}

func TestDamaged(t *testing.T) {
	for _, c := range []struct{ text, err, missing string }{
		{"# ninja log v4\n", "version 4 of the log: expected 5 to 7", ""},
		{"# ninja log v8\n", "version 8 of the log: expected 5 to 7", ""},
		{"# ninja log vX\n", `line 1: expected "# ninja log v" and a version`, ""},
		{"# ninja log v7\n", "no action has run: the log has no entries", ""},
		{"# ninja log v6\n1\t2\n0\t9\t0\ta\tf\n9\t3\t0\tb\tf\n\n1\t99999999999999\t0\tb\tf\n1\t2\t3\ta\tb\tc\n", "", "5 lines of the log that cannot be read"},
		{"# ninja log v6\n0\t9\t0\ta\tf\n0\t9\t", "", "the end of the log: its last line has no end"},
		{"# ninja log v6\n0\t9\t0\ta\tf", "", "the end of the log: its last line has no end"},
		{"# ninja log v6\n0\t9\t0\ta\tf\n" + strings.Repeat("x", 1<<20) + "\n", "", "1 line of the log that cannot be read"},
	} {
		m := tracer.NewMemory()
		err := Read("log", strings.NewReader(c.text), m)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %v, want %s", c.text[:min(len(c.text), 99)], err, c.err)
		}
		if meta := m.Meta(); err == nil && !strings.HasSuffix(meta.Missing(), c.missing) {
			t.Errorf("%q: missing %q", c.text[:min(len(c.text), 99)], meta.Missing())
		}
	}
	deps := must.Get(os.ReadFile(samples + "/.ninja_deps"))(t)
	for _, c := range []struct {
		change func(b []byte) []byte
		want   string
	}{
		{func(b []byte) []byte { return b[:len(b)-3] }, ".ninja_deps: cut at byte "},
		{func(b []byte) []byte { b[12] = 9; return b }, ".ninja_deps: version 9: expected 3 or 4"},
		{func(b []byte) []byte { b[0] = 'x'; return b }, ".ninja_deps: expected "},
		{func(b []byte) []byte { return append(b, 0xff, 0xff, 0xff, 0xff) }, ".ninja_deps: a record of 2147483647 bytes at byte "},
	} {
		f := folder(".ninja_log", twoRuns, "build.ninja", "build a: x b", ".ninja_deps", string(c.change(bytes.Clone(deps))))
		m := readIn(t, f, Options{})
		if meta := m.Meta(); !strings.HasPrefix(meta.Missing(), c.want) {
			t.Errorf("missing %q, want %q", meta.Missing(), c.want)
		}
	}
}

func TestDetect(t *testing.T) {
	if !Detect([]byte("# ninja log v5\n")) || Detect([]byte("# ninjadeps\n")) || Detect(nil) {
		t.Error("detection")
	}
}

func FuzzRead(f *testing.F) {
	texts := [4][]byte{}
	for i, name := range []string{".ninja_log", "build.ninja", ".ninja_deps", "app.ninja"} {
		texts[i] = must.Get(os.ReadFile(samples + "/" + name))(f)
	}
	f.Add(texts[0], texts[1], texts[2], texts[3])
	f.Add([]byte(twoRuns), []byte("build b: x ${v}a || d\n dyndep = d\nsubninja app.ninja\n"), []byte(nil), []byte("build a: y $\n b\nv = $v$:$$\n"))
	f.Fuzz(func(t *testing.T, log, manifest, deps, more []byte) {
		Detect(log)
		folder := fstest.MapFS{
			".ninja_log": {Data: log}, "build.ninja": {Data: manifest}, ".ninja_deps": {Data: deps}, "app.ninja": {Data: more}, "d": {Data: more},
		}
		m := tracer.NewMemory()
		if ReadIn(folder, ".ninja_log", m, Options{}) == nil {
			must.Do(t, m.Close())
			last := int64(0)
			for _, e := range tracertest.Events(t, m, tracer.AllKinds) {
				if e.Time < last {
					t.Fatalf("%v after %d", e, last)
				}
				last = e.Time
			}
		}
	})
}

// BenchmarkRead reads the log and the graph of a build of 100,000 files, as large as that of Chromium.
func BenchmarkRead(b *testing.B) {
	const files = 100_000
	var log, manifest, deps bytes.Buffer
	fmt.Fprintln(&log, "# ninja log v5")
	w := bufio.NewWriter(&manifest)
	deps.WriteString(depsMagic)
	must.Do(b, binary.Write(&deps, binary.LittleEndian, uint32(4)))
	for i := range files {
		fmt.Fprintf(&log, "%d\t%d\t1795891897408715785\tobj/third_party/library/part%d/file%d.o\t%x\n", i*10, i*10+2000, i/100, i, i)
		fmt.Fprintf(w, "build obj/third_party/library/part%d/file%d.o: cxx ../../third_party/library/part%d/file%d.cc || obj/third_party/library/part%d/inputs\n", i/100, i, i/100, i, i/100)
		fmt.Fprintf(w, "  include_dirs = -I../.. -Igen\n  cflags = -O2 -g1 -Wall -fno-exceptions -DPART=%d\n", i/100)
		if i%100 == 0 {
			fmt.Fprintf(w, "build obj/third_party/library/part%d/inputs: phony obj/third_party/library/part%d/file%d.o\n", i/100, max(i/100-1, 0), max(i-1, 0))
		}
	}
	must.Do(b, w.Flush())
	folder := folder(".ninja_log", log.String(), "build.ninja", manifest.String(), ".ninja_deps", deps.String())
	b.SetBytes(int64(log.Len() + manifest.Len()))
	events := int64(0)
	for b.Loop() {
		m := readIn(b, folder, Options{})
		counts := m.Counts()
		for _, n := range counts {
			events += n
		}
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}
