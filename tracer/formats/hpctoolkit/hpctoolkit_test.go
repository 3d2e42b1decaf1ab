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
	tree := must.Get(callingcontext.Grow(m, nil, nil, nil))(t)
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
	tree := must.Get(callingcontext.Grow(m, nil, nil, nil))(t)
	if got := tree.Total(callingcontext.Root, 0, true); got != 4 { // 14 times 0.3 is 4.2
		t.Errorf("%d in all", got)
	}
	if got := m.Meta().Extra[0].Value; got != "1 value too large" {
		t.Error(got)
	}
}
