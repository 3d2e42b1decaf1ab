//go:build !js

package hpctoolkit

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/tracertest"
)

func read(o profile.Options, files map[string][]byte) (*tracer.Memory, error) {
	m := tracer.NewMemory()
	var all []profile.File
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.SortFunc(names, profile.Natural)
	for _, name := range names {
		all = append(all, profile.File{Name: name, R: bytes.NewReader(files[name])})
	}
	err := Read(all, m, o)
	_ = m.Close()
	return m, err
}

// values lists the exclusive values of a metric for each PE, by path, for the nodes that have values.
func values(t testing.TB, m *tracer.Memory, metric string) (all []string) {
	tree := must.Get(callingcontext.Build(m, nil))(t)
	k := slices.IndexFunc(tree.Metrics, func(x callingcontext.Metric) bool { return x.Name == metric })
	if k < 0 {
		return nil
	}
	path := make([]string, tree.Nodes())
	for v := int32(1); int(v) < tree.Nodes(); v++ {
		path[v] = strings.TrimPrefix(path[tree.Parent[v]]+"/"+m.Dict().Code(tree.Code[v]).Name, "/")
		if each := tree.Values(v, k, false, nil); slices.ContainsFunc(each, func(n int64) bool { return n != 0 }) {
			all = append(all, fmt.Sprint(path[v], " ", each))
		}
	}
	slices.Sort(all)
	return all
}

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

// pingPong is a recorded experiment.xml with made metric-db files of two ranks: context n spent n us on the first rank and 2n us on the second.
func pingPong(t testing.TB) map[string][]byte {
	text := must.Get(os.ReadFile("../../../testdata/profiles/ping-pong/experiment.xml"))(t)
	files := map[string][]byte{"pp/experiment.xml": text}
	for rank := range 2 {
		f := &bytes.Buffer{}
		f.WriteString(metricMagic + "00.10b")
		const rows = 130
		_ = binary.Write(f, binary.BigEndian, []uint32{rows, 2})
		for row := range rows {
			// Columns of exclusive and inclusive values, in seconds.
			_ = binary.Write(f, binary.BigEndian, []float64{0, float64(row+1) * float64(rank+1) * 1e-6})
		}
		files[fmt.Sprintf("pp/ping-pong-%06d-000-a8c0-4711-0.metric-db", rank)] = f.Bytes()
	}
	return files
}

func TestOld(t *testing.T) {
	m := must.Get(read(profile.Options{}, pingPong(t)))(t)
	var who []string
	for _, p := range m.Meta().PEInfo {
		who = append(who, p.Host+"/"+p.Process+"/"+p.Thread)
	}
	if want := []string{"node a8c0/rank 0/", "node a8c0/rank 1/"}; !slices.Equal(who, want) {
		t.Errorf("processors %q, want %q", who, want)
	}
	tree := must.Get(callingcontext.Build(m, nil))(t)
	// Contexts 1 and 2 are the roots, so their inclusive values are the total.
	total := tree.Values(callingcontext.Root, 0, true, nil)
	if !slices.Equal(total, []int64{3000, 6000}) {
		t.Errorf("totals %d ns", total)
	}
	// The exclusive value of a function is its context number minus the numbers of the contexts it calls; its loops and lines cancel out. main is
	// context 3 and calls 96 and 70; 96 calls 99.
	got := values(t, m, "CPUTIME")
	for _, c := range []struct {
		path string
		n    int
	}{{"", 2 - 3}, {"/main", 3 - 96 - 70}, {"/main/PMPI_Send", 96 - 99}, {"/main/PMPI_Recv/MPID_Recv", 73}} {
		if want := fmt.Sprintf("<program root>%s [%d %d]", c.path, 1000*c.n, 2000*c.n); !slices.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, strings.Join(got, "\n"))
		}
	}
	if s := m.Meta().Extra; len(s) != 1 || !strings.Contains(s[0].Value, "values of contexts missing from experiment.xml") {
		t.Errorf("missing %v", s)
	}
}

// TestSums checks that the sums in the tree are used if there are no metric-db files.
func TestSums(t *testing.T) {
	text := must.Get(os.ReadFile("../../../testdata/profiles/heat-experiment.xml"))(t)
	m := must.Get(read(profile.Options{}, map[string][]byte{"experiment.xml": text}))(t)
	if got, want := values(t, m, "CPUTIME"), []string{"main [100000]", "main/sweep [1000000]", "main/sweep/std::sqrt<double> [400000]"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestRefused(t *testing.T) {
	whole := database3()
	text := must.Get(os.ReadFile("../../../testdata/profiles/ping-pong/experiment.xml"))(t)
	newer := slices.Clone(whole["db/meta.db"])
	newer[14] = 5
	between := slices.Clone(whole["db/profile.db"])
	between[14] = 3
	for _, c := range []struct {
		want  string
		files map[string][]byte
	}{
		{"db/meta.db: no profile.db", map[string][]byte{"db/meta.db": whole["db/meta.db"]}},
		{"db/profile.db: part of an HPCToolkit database", map[string][]byte{"db/profile.db": whole["db/profile.db"]}},
		{"db/meta.db: HPCToolkit database version 5.0 is not supported; expected version 4", map[string][]byte{"db/meta.db": newer, "db/profile.db": whole["db/profile.db"]}},
		{"db/meta.db: truncated at offset ", map[string][]byte{"db/meta.db": whole["db/meta.db"][:400], "db/profile.db": whole["db/profile.db"]}},
		{"db/profile.db: truncated", map[string][]byte{"db/meta.db": whole["db/meta.db"], "db/profile.db": whole["db/profile.db"][:600]}},
		{"pp/experiment.xml: profile.db has an unsupported version before 4", map[string][]byte{"pp/experiment.xml": text, "pp/profile.db": between}},
		{"pp/experiment.xml: no values and no metric-db files", map[string][]byte{"pp/experiment.xml": text}},
		{"experiment.xml: line 1, column 66: flat profiles without calling contexts", map[string][]byte{"experiment.xml": []byte("<?xml version=\"1.0\"?><HPCToolkitExperiment><SecFlatProfile i=\"0\"></SecFlatProfile></HPCToolkitExperiment>")}},
	} {
		if _, err := read(profile.Options{}, c.files); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// TestCircle checks that a tree with a cycle is refused.
func TestCircle(t *testing.T) {
	files := database3()
	data := slices.Clone(files["db/meta.db"])
	entries := binary.LittleEndian.Uint64(data[binary.LittleEndian.Uint64(data[0x48:]):])
	main := binary.LittleEndian.Uint64(data[entries+8:])
	copy(data[main:main+16], data[entries:entries+16]) // the children of main are main
	files["db/meta.db"] = data
	if _, err := read(profile.Options{}, files); err == nil || !strings.HasPrefix(err.Error(), "db/meta.db: too many contexts, or a cycle of contexts") {
		t.Errorf("error %v", err)
	}
}

// TestRoom checks that values of metrics beyond the memory limit are counted as dropped, and that the other metrics keep their values.
func TestRoom(t *testing.T) {
	m := tracer.NewMemory()
	s := m.Stream(tracer.StreamInfo{})
	d := database{w: profile.NewWriter(m, profile.Options{})}
	for _, name := range []string{"a", "b", "c"} {
		d.metrics = append(d.metrics, newMetric(d.w, name, point))
	}
	for i := range int32(3) {
		d.tree.add(node{parent: i - 1, called: true, line: profile.Line{Function: fmt.Sprint("f", i)}})
	}
	d.prepare()
	d.room = 7 // two metrics of three contexts
	for _, k := range []int{2, 0, 1, 2, 1} {
		d.add(k, 1, 4)
	}
	d.flush(s, 0, 0)
	s.Sync()
	d.w.Meta.PEs = 1
	d.w.Finish()
	must.Do(t, m.Close())
	for _, c := range []struct{ name, want string }{{"a", "[f0/f1 [4]]"}, {"b", "[]"}, {"c", "[f0/f1 [8]]"}} {
		if got := fmt.Sprint(values(t, m, c.name)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if got := m.Meta().Extra[0].Value; got != "2 values beyond the memory limit of metrics" {
		t.Error(got)
	}
}

// TestAbove compares the nearest ancestor with values with a search: any ancestor that hpcprof did not make for the execution scope, and one in
// the same function for the function scope.
func TestAbove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tree tree
		for i := range rapid.IntRange(1, 40).Draw(t, "nodes") {
			tree.add(node{
				parent: int32(rapid.IntRange(-1, i-1).Draw(t, "parent")), called: rapid.Bool().Draw(t, "called"), made: rapid.IntRange(0, 2).Draw(t, "made") > 0,
			})
		}
		for i := range tree.nodes {
			want := map[bool]int32{}
			for _, inside := range []bool{false, true} {
				at := int32(i)
				for {
					if inside && tree.nodes[at].called {
						at = -1
						break
					}
					if at = tree.nodes[at].parent; at < 0 || !tree.nodes[at].made {
						break
					}
				}
				want[inside] = at
			}
			if n := &tree.nodes[i]; n.above != want[false] || n.within != want[true] {
				t.Fatalf("node %d of %+v: above %d, within %d, want %v", i, tree.nodes, n.above, n.within, want)
			}
		}
	})
}

// TestDeep checks that adding a value below a very deep chain of contexts without values takes constant time.
func TestDeep(t *testing.T) {
	const deep = 200_000
	m := tracer.NewMemory()
	d := database{w: profile.NewWriter(m, profile.Options{})}
	d.metrics = []metric{newMetric(d.w, "a", execution), newMetric(d.w, "b", function)}
	for i := range int32(deep) {
		d.tree.add(node{parent: i - 1, made: i > 0})
	}
	d.prepare()
	for i := range int32(deep) {
		d.add(0, i, 1)
		d.add(1, i, 1)
	}
	for k := range d.metrics {
		if d.sums[k][0] != 2-deep || d.sums[k][deep-1] != 1 {
			t.Errorf("%g at the program, %g at the end", d.sums[k][0], d.sums[k][deep-1])
		}
	}
}

// TestRounding checks that rounding errors do not accumulate in a sum.
func TestRounding(t *testing.T) {
	files := database3()
	var v []valueSpec
	for id := uint32(12); id <= 38; id += 2 {
		v = append(v, valueSpec{id, []uint16{15}, []float64{0.3}})
	}
	meta := small()
	meta.metrics = []metricSpec{{"flops", []scopeSpec{{0, 15}}}}
	files["db/meta.db"], files["db/profile.db"] = meta.write(), writeProfiles([]profileSpec{{threadOf(1, 0, 0), append(v, valueSpec{4, []uint16{15}, []float64{math.Inf(1)}})}})
	delete(files, "db/trace.db")
	m := must.Get(read(profile.Options{}, files))(t)
	tree := must.Get(callingcontext.Build(m, nil))(t)
	if got := tree.Total(callingcontext.Root, 0, true); got != 4 { // 14 times 0.3 is 4.2
		t.Errorf("%d in all", got)
	}
	if got := m.Meta().Extra[0].Value; got != "1 value too large" {
		t.Error(got)
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

func FuzzOld(f *testing.F) {
	files := pingPong(f)
	text := files["pp/experiment.xml"]
	f.Add(text, files["pp/ping-pong-000000-000-a8c0-4711-0.metric-db"])
	if b, err := os.ReadFile("../../../testdata/profiles/heat-experiment.xml"); err == nil {
		f.Add(b, []byte{})
	}
	f.Fuzz(func(t *testing.T, text, values []byte) {
		Detect(text)
		_, _ = read(profile.Options{}, map[string][]byte{"experiment.xml": text, "a-000001-000-0-0-0.metric-db": values})
		_, _ = read(profile.Options{}, map[string][]byte{"experiment.xml": text})
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
