//go:build !js

package hpctoolkit

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/tracertest"
)

// small is the example of HPCToolkit's tests: a program foo whose main calls foo and bar; bar calls foo, and foo enters the kernel.
// Instructions are counted at the lines, cycles in the kernel.
func small() *metaSpec {
	kernel := func(first, last uint32) (c []contextSpec) {
		for id := last; id >= first; id -= 2 {
			c = []contextSpec{{id: id, relation: 1, function: "_stext [vmlinux]", children: c}}
		}
		return c
	}
	line := func(id, n uint32, children []contextSpec) []contextSpec {
		return []contextSpec{{id: id, kind: 2, file: "/tmp/foo.c", line: n, children: children}}
	}
	foo := func(id uint32, below []contextSpec) []contextSpec {
		return []contextSpec{{id: id, relation: 1, function: "foo", children: line(id+1, 8, below)}}
	}
	main := append(
		line(4, 17, foo(6, kernel(12, 38))),
		line(40, 18, []contextSpec{{id: 42, relation: 1, function: "bar", children: line(43, 13, foo(45, kernel(49, 69)))}})...)
	return &metaSpec{
		title: "foo", kinds: []string{"SUMMARY", "NODE", "RANK", "THREAD", "GPUDEVICE", "GPUCONTEXT", "GPUSTREAM", "CORE"},
		metrics: []metricSpec{
			{"cycles", []scopeSpec{{0, 15}, {1, 16}, {2, 17}}},
			{"instructions", []scopeSpec{{0, 0}, {1, 1}, {2, 2}}},
		},
		modules: []string{"/tmp/foo", "<vmlinux.007f0101>"}, files: []string{"/tmp/foo.c"},
		functions: []functionSpec{
			{"main", "/tmp/foo", 0x1187, "/tmp/foo.c", 15},
			{"foo", "/tmp/foo", 0x1129, "/tmp/foo.c", 6},
			{"bar", "/tmp/foo", 0x1176, "/tmp/foo.c", 11},
			{"_stext [vmlinux]", "<vmlinux.007f0101>", 0xffffffffa7800000, "", 0},
		},
		entries: []entrySpec{{2, "main thread", []contextSpec{{id: 3, relation: 1, function: "main", children: main}}}},
	}
}

// smallValues are the values of its profile.db: 76 instructions below the first call, 75 and 1 below the second, and a cycle in the kernel below
// the first.
func smallValues(times float64) (all []valueSpec) {
	add := func(cycles, inst, exclusive float64, ids ...uint32) {
		for _, id := range ids {
			v := valueSpec{context: id}
			for _, x := range []struct {
				id uint16
				v  float64
			}{{1, exclusive}, {2, inst}, {17, cycles}} {
				if x.v != 0 {
					v.metrics, v.values = append(v.metrics, x.id), append(v.values, x.v*times)
				}
			}
			all = append(all, v)
		}
	}
	span := func(first, last uint32) (ids []uint32) {
		for id := first; id <= last; id += 2 {
			ids = append(ids, id)
		}
		return ids
	}
	add(1, 152, 0, 0, 2, 3)
	add(1, 76, 0, 4)
	add(1, 76, 76, 6, 7)
	add(1, 0, 0, span(12, 38)...)
	add(0, 76, 0, 40, 42, 43)
	add(0, 76, 75, 45, 46)
	add(0, 1, 0, span(49, 69)...)
	return all
}

func threadOf(node uint64, rank, n uint32) []idSpec {
	return []idSpec{{1, 1, 0, node}, {2, 0, rank, uint64(rank)}, {3, 0, n, uint64(n)}}
}

// database3 returns the files of the example for three threads, which are not in order in its profile.db.
func database3() map[string][]byte {
	return map[string][]byte{
		"db/meta.db": small().write(),
		"db/profile.db": writeProfiles([]profileSpec{
			{nil, []valueSpec{{0, []uint16{5}, []float64{152}}}},
			{threadOf(0x7f0101, 10, 0), smallValues(1)},
			{threadOf(0x7f0101, 2, 1), smallValues(2)},
			{threadOf(0x7f0101, 2, 0), smallValues(3)},
		}),
		"db/cct.db": begin("ctxt", 1).Bytes(),
		"db/trace.db": writeTraces([][]instantSpec{
			{{1000, 7}, {1400, 0}, {1900, 38}, {2000, 0}},
			{{1100, 46}, {1500, 69}},
		}),
	}
}

func TestVersion4(t *testing.T) {
	m := must.Get(read(profile.Options{}, database3()))(t)
	var who []string
	for _, p := range m.Meta().PEInfo {
		who = append(who, p.Host+"/"+p.Process+"/"+p.Thread)
	}
	if want := []string{"node 7f0101/rank 2/thread 0", "node 7f0101/rank 2/thread 1", "node 7f0101/rank 10/thread 0"}; !slices.Equal(who, want) {
		t.Errorf("processors %q, want %q", who, want)
	}
	stext := func(n int) string { return strings.Repeat("/_stext [vmlinux]", n) }
	const to = "<main thread>/main/"
	for _, c := range []struct {
		metric string
		want   []string
	}{
		{"instructions", []string{to + "bar/foo [225 150 75]", to + "bar/foo" + stext(11) + " [3 2 1]", to + "foo [228 152 76]"}},
		{"cycles", []string{to + "foo" + stext(14) + " [3 2 1]"}},
		{"traced", []string{to + "bar/foo [0 400 0]", to + "foo [0 0 400]", to + "foo" + stext(14) + " [0 0 100]"}},
	} {
		if got := values(t, m, c.metric); !slices.Equal(got, c.want) {
			t.Errorf("%s\n%q\nwant\n%q", c.metric, got, c.want)
		}
	}
	if s := m.Meta().Extra; len(s) > 0 || m.Meta().Program != "foo" {
		t.Errorf("of %q: %v", m.Meta().Program, s)
	}
	// The lines belong to the functions that ran.
	lines := map[string]bool{}
	for _, c := range m.Dict().Codes() {
		if c.Type == tracer.Line {
			lines[fmt.Sprint(m.Dict().Code(c.Parent).Name, " ", c.File, ":", c.Line)] = true
		}
	}
	if want := map[string]bool{"foo /tmp/foo.c:8": true, "bar /tmp/foo.c:13": true, "main /tmp/foo.c:17": true, "main /tmp/foo.c:18": true}; fmt.Sprint(lines) != fmt.Sprint(want) {
		t.Errorf("lines %v", lines)
	}
	// The states of the processors come from trace.db.
	var states []string
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Busy, tracer.Idle)) {
		states = append(states, fmt.Sprint(e.PE, " ", e.Kind, " ", e.Time))
	}
	if want := "[2 Busy 0 1 Busy 100 2 Idle 400 2 Busy 900 2 Idle 1000]"; fmt.Sprint(states) != want {
		t.Errorf("states %v, want %s", states, want)
	}
}

// TestMerge checks that merging the threads of a process or a host keeps the sums.
func TestMerge(t *testing.T) {
	for _, c := range []struct{ level, want string }{{"thread", "[228 152 76]"}, {"process", "[380 76]"}, {"host", "[456]"}} {
		m := must.Get(read(profile.Options{Merge: c.level}, database3()))(t)
		if got := values(t, m, "instructions")[2]; got != "<main thread>/main/foo "+c.want {
			t.Errorf("%s: %s, want %s", c.level, got, c.want)
		}
	}
}

// TestScopes checks that metrics of function and point scope give the same values.
func TestScopes(t *testing.T) {
	files := database3()
	for _, c := range []struct {
		name   string
		scopes []scopeSpec
		values []valueSpec
	}{
		{"function", []scopeSpec{{1, 7}}, []valueSpec{{3, []uint16{7}, []float64{2}}, {4, []uint16{7}, []float64{2}}, {6, []uint16{7}, []float64{5}}, {7, []uint16{7}, []float64{4}}}},
		{"point", []scopeSpec{{0, 7}}, []valueSpec{{4, []uint16{7}, []float64{2}}, {6, []uint16{7}, []float64{1}}, {7, []uint16{7}, []float64{4}}}},
	} {
		meta := small()
		meta.metrics = []metricSpec{{"CPUTIME (sec)", c.scopes}}
		files["db/meta.db"] = meta.write()
		files["db/profile.db"] = writeProfiles([]profileSpec{{threadOf(1, 0, 0), c.values}})
		delete(files, "db/trace.db")
		m := must.Get(read(profile.Options{}, files))(t)
		if got, want := values(t, m, "CPUTIME"), []string{"<main thread>/main [2000000000]", "<main thread>/main/foo [5000000000]"}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}

func FuzzVersion4(f *testing.F) {
	whole := database3()
	f.Add(whole["db/meta.db"], whole["db/profile.db"], whole["db/trace.db"])
	f.Fuzz(func(t *testing.T, meta, prof, trace []byte) {
		Detect(meta)
		m, err := read(profile.Options{}, map[string][]byte{"meta.db": meta, "profile.db": prof, "trace.db": trace})
		if err != nil {
			return
		}
		if n := m.Counts()[tracer.Sample]; n > int64(len(meta))*int64(len(prof)+len(trace)) {
			t.Errorf("%d samples", n)
		}
	})
}

// TestTestdata checks that foo.d, which tests of several packages open, is the database that database3 makes.
func TestTestdata(t *testing.T) {
	for name, data := range database3() {
		path := strings.Replace(name, "db/", "../../../testdata/profiles/foo.d/", 1)
		if os.Getenv("UPDATE") != "" {
			must.Do(t, os.WriteFile(path, data, 0o644))
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s is out of date (%v): UPDATE=1 go test writes it", path, err)
		}
	}
}
