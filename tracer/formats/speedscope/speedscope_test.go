package speedscope

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
	"whorl/tracer/testdata/tracertest"
)

func read(o profile.Options, texts ...string) (*tracer.Memory, error) {
	return profiletest.Read(Read, "rank%d.json", o, texts...)
}

// written returns a trace as the text of a file.
func written(t rapid.TB, m *tracer.Memory) string {
	var b strings.Builder
	must.Do(t, Write(&b, m))
	return b.String()
}

// roundTrip writes a trace and reads it again. It returns the second trace and the text.
func roundTrip(t rapid.TB, m *tracer.Memory) (*tracer.Memory, string) {
	text := written(t, m)
	again, err := read(profile.Options{}, text)
	if err != nil {
		t.Fatal(err, " in the written file:\n", text)
	}
	return again, text
}

// values lists the inclusive values of a metric for each PE, by path.
func values(t rapid.TB, m *tracer.Memory, metric string) []string {
	tree := must.Get(callingcontext.Grow(m, nil, nil, nil))(t)
	k := slices.IndexFunc(tree.Metrics, func(x callingcontext.Metric) bool { return x.Name == metric })
	if k < 0 {
		return nil
	}
	path := make([]string, tree.Nodes())
	var all []string
	for v := range int32(tree.Nodes()) {
		if v > 0 {
			path[v] = strings.TrimPrefix(path[tree.Parent[v]]+"/"+m.Dict().Code(tree.Code[v]).Name, "/")
		}
		all = append(all, fmt.Sprintf("%s %v", path[v], tree.Values(v, k, false, nil)))
	}
	slices.Sort(all)
	return all
}

func TestRead(t *testing.T) {
	simple := must.Get(os.ReadFile("../../../testdata/profiles/simple.speedscope.json"))(t)
	two := must.Get(os.ReadFile("../../../testdata/profiles/two-sampled.speedscope.json"))(t)
	const second = 1_000_000_000
	for _, c := range []struct {
		name, metric string
		merge        string
		texts        []string
		want         []string
	}{
		{"evented", "samples", "", []string{string(simple)}, []string{" [0]", "a [0]", "a/b [5]", "a/b/c [5]", "a/b/d [4]"}},
		{"evented", "calls", "", []string{string(simple)}, []string{" [0]", "a [1]", "a/b [1]", "a/b/c [2]", "a/b/d [1]"}},
		{"sampled", "time", "", []string{string(two)}, []string{
			" [0 0]", "a [0 0]", fmt.Sprintf("a/b [%d %d]", 5*second, 5*second),
			fmt.Sprintf("a/b/c [%d %d]", 5*second, 5*second), fmt.Sprintf("a/b/d [%d %d]", 4*second, 4*second),
		}},
		{"merged", "time", "process", []string{string(two)}, []string{
			" [0]", "a [0]", fmt.Sprintf("a/b [%d]", 10*second), fmt.Sprintf("a/b/c [%d]", 10*second), fmt.Sprintf("a/b/d [%d]", 8*second),
		}},
		{"different units", "samples", "", []string{string(simple), string(two)}, []string{
			" [0 0 0]", "a [0 0 0]", "a/b [5 0 0]", "a/b/c [5 0 0]", "a/b/d [4 0 0]",
		}},
	} {
		m := must.Get(read(profile.Options{Merge: c.merge}, c.texts...))(t)
		if got := values(t, m, c.metric); !slices.Equal(got, c.want) {
			t.Errorf("%s: %s\n%q\nwant\n%q", c.name, c.metric, got, c.want)
		}
	}
}

// evented returns a file of one evented profile.
func evented(end float64, events string) string {
	return fmt.Sprintf(`{"$schema": %q, "shared": {"frames": [{"name": "A"}, {"name": "B"}]}, "profiles": [
{"type": "evented", "name": "p1", "unit": "none", "startValue": 0, "endValue": %v, "events": [%s]}]}`, schema, end, events)
}

// TestDamaged checks that damaged files, such as those of sample/profiles/speedscope/invalid in speedscope's repository, are read as far as
// possible.
func TestDamaged(t *testing.T) {
	for _, c := range []struct {
		text, missing string
		want          []string
	}{
		{evented(100, `{"type":"O","frame":0,"at":0}`), "1 frame never closed", []string{" [0]", "A [100]"}},
		{
			evented(100, `{"type":"O","frame":0,"at":0},{"type":"C","frame":0,"at":1},{"type":"O","frame":1,"at":2},{"type":"O","frame":0,"at":2},
				{"type":"O","frame":0,"at":3},{"type":"C","frame":0,"at":4},{"type":"C","frame":1,"at":4},{"type":"C","frame":0,"at":5}`),
			"1 frame closed before an inner frame; 1 frame closed but not open",
			[]string{" [0]", "A [1]", "B [0]", "B/A [1]", "B/A/A [1]"},
		},
		{
			evented(9, `{"type":"O","frame":7,"at":2},{"type":"X","at":4},{"type":"C","frame":7,"at":1}`),
			"1 frame missing from the table; 1 event of unknown type; 1 event out of order",
			[]string{" [0]", "[unknown] [2]"},
		},
		{
			`{"profiles":[{"type":"sampled","unit":"none","samples":[[0],[],[0]],"weights":[-3,2]}],"shared":{"frames":[{"name":"A"}]}}`,
			"1 sample without a weight, or weights without a sample",
			[]string{" [0]", "A [-3]"},
		},
		{
			`{"profiles":[{"type":"sampled","unit":"none","samples":[[0],[0]],"weights":[0.25,1e300]}],"shared":{"frames":[{"name":"A"}]}}`,
			"1 value too large",
			[]string{" [0]", "A [250000]"},
		},
		{`{"$schema":"` + schema + `","profiles":[]}`, "rank0.json has no profiles", nil},
	} {
		m, err := read(profile.Options{}, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := values(t, m, "samples"); !slices.Equal(got, c.want) {
			t.Errorf("%s\n%q\nwant\n%q", c.text, got, c.want)
		}
		missing := ""
		for _, kv := range m.Meta().Extra {
			missing = kv.Value
		}
		if missing != c.missing {
			t.Errorf("%s\nmissing %q, want %q", c.text, missing, c.missing)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{\n  \"profiles\": [}", "rank0.json: line 2, column 16: invalid character '}' looking for beginning of value"},
		{`{"profiles": 7}`, "rank0.json: line 1, column 14: profiles is a number"},
		{`{"traceEvents": []}`, "rank0.json: not a speedscope file: no profiles and no shared frames"},
		{`{"profiles":[{"type":"pie","name":"x"}]}`, `rank0.json: profile 1 ("x"): unknown type "pie": expected sampled or evented`},
	} {
		if _, err := read(profile.Options{}, c.text); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}

// TestWritten checks that samples keep their values when they are written and read.
func TestWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := tracer.NewMemory()
		w := profile.NewWriter(m, profile.Options{})
		pes := rapid.IntRange(2, 4).Draw(t, "pes")
		s := m.Stream(tracer.StreamInfo{})
		for p := range pes {
			pe := must.Get(w.Processor(tracer.PE{Process: fmt.Sprintf("rank%d", p)}))(t)
			w.Begin(s, pe, 0)
			w.Sample(s, 0, pe, w.Call(0, w.Frames(profile.Place{Lines: []profile.Line{{Function: "main"}}})), w.Metric("time", "ns"), 1)
		}
		for range rapid.IntRange(1, 20).Draw(t, "samples") {
			context := uint32(0)
			for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"main", "f", "\"наука\"\n"}), 1, 6).Draw(t, "stack") {
				context = w.Call(context, w.Frames(profile.Place{Lines: []profile.Line{{Function: name, File: "a.c", Line: 3}}}))
			}
			w.Sample(s, 0, int32(rapid.IntRange(0, pes-1).Draw(t, "pe")), context, w.Metric("time", "ns"), int64(rapid.IntRange(1, 1<<40).Draw(t, "value")))
		}
		s.Sync()
		w.Finish()
		again, _ := roundTrip(t, m)
		// A frame with a file and one without are different functions, before and after.
		if got, want := values(t, again, "time"), values(t, m, "time"); !slices.Equal(got, want) {
			t.Errorf("read again\n%q\nwritten\n%q", got, want)
		}
	})
}

// TestMetricsWritten checks that metrics keep their names, units and PEs, and that PEs with the same name stay separate.
func TestMetricsWritten(t *testing.T) {
	m := tracer.NewMemory()
	f := m.Dict().Add(tracer.Code{Type: tracer.Function, Name: "f"})
	ticks := m.Dict().Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	half := m.Dict().Add(tracer.Code{Type: tracer.Metric, Name: "load", Unit: "jobs", Scale: 0.5})
	space := m.Dict().Add(tracer.Code{Type: tracer.Metric, Name: "space", Unit: "bytes", Scale: 1})
	cpu := m.Dict().Add(tracer.Code{Type: tracer.Metric, Name: "cpu", Unit: "ns", Scale: 1})
	context := m.Dict().AddContext(tracer.Context{Code: f})
	s := m.Stream(tracer.StreamInfo{})
	for pe := range int32(3) {
		for i, metric := range []uint32{ticks, half, space, cpu} {
			*s.Slot() = tracer.Event{Kind: tracer.Sample, PE: pe, Ref: uint64(context), Code: metric, Value: int64(10*pe) + int64(i) + 1}
		}
	}
	s.Sync()
	m.SetMeta(tracer.Meta{PEs: 3, PEInfo: []tracer.PE{{Process: "a"}, {Process: "b"}, {Process: "a"}}})
	must.Do(t, m.Close())
	again, _ := roundTrip(t, m)
	if pes := again.Meta().PEs; pes != 3 {
		t.Errorf("%d PEs, want 3", pes)
	}
	codes := again.Dict().Codes()
	var got []string
	for _, e := range tracertest.Events(t, again, tracer.Kinds(tracer.Sample)) {
		c := codes[e.Code]
		got = append(got, fmt.Sprintf("%d %s %v %s", e.PE, c.Name, float64(e.Value)*c.Scale, c.Unit))
	}
	want := []string{
		"0 cpu 4 ns", "0 load 1 jobs", "0 space 3 bytes", "0 ticks 1 ticks",
		"1 cpu 14 ns", "1 load 6 jobs", "1 space 13 bytes", "1 ticks 11 ticks",
		"2 cpu 24 ns", "2 load 11 jobs", "2 space 23 bytes", "2 ticks 21 ticks",
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("read again\n%q, want\n%q", got, want)
	}
}

// TestThreads checks that the frames of threads are balanced and last as long as the threads ran.
func TestThreads(t *testing.T) {
	m := tracer.NewMemory()
	f := m.Dict().Add(tracer.Code{Type: tracer.Function, Name: "f"})
	g := m.Dict().Add(tracer.Code{Type: tracer.Function, Name: "g"})
	s := m.Stream(tracer.StreamInfo{})
	for _, e := range []tracer.Event{
		{Kind: tracer.Start, Time: 0, Task: 1, Code: f},
		{Kind: tracer.JoinBegin, Time: 3, Task: 1, Ref: 2},
		{Kind: tracer.Start, Time: 5, Task: 2, Code: g},
		{Kind: tracer.Start, Time: 6, Task: 3, Code: g, Peer: tracer.Inline},
		{Kind: tracer.End, Time: 8, Task: 3, Code: g, Peer: tracer.Inline},
		{Kind: tracer.End, Time: 9, Task: 2, Code: g},
		{Kind: tracer.JoinEnd, Time: 9, Task: 1, Ref: 2},
		{Kind: tracer.Reduce, Time: 12, Value: 4, Task: 9, Code: g, PE: 1},
		{Kind: tracer.Reduce, Time: 14, Value: 4, Task: 10, Code: f, PE: 1},
	} {
		*s.Slot() = e
	}
	s.Sync()
	text := written(t, m)
	var c content
	must.Do(t, json.Unmarshal([]byte(text), &c))
	var got strings.Builder
	for _, p := range c.Profiles {
		fmt.Fprintf(&got, "%s:", p.Name)
		for _, e := range p.Events {
			fmt.Fprintf(&got, " %s%s%v", e.Type, c.Shared.Frames[e.Frame].Name, e.Time)
		}
		got.WriteString("\n")
	}
	const want = "PE 0: Of0 Cf3 Og5 Og6 Cg8 Cg9 Of9 Cf9\nPE 1: Og12 Cg16 Of16 Cf18\n"
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

// TestGoals checks that goals keep their call paths: the read file has the same time in the same contexts, and one call for each try.
func TestGoals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := tracer.NewMemory()
		var procedures []uint32
		for _, name := range []string{"main/0", "fib/2", "add/3", "out/1"} {
			procedures = append(procedures, m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: name}))
		}
		pes := rapid.IntRange(1, 3).Draw(t, "pes")
		at := make([]int64, pes)
		s := m.Stream(tracer.StreamInfo{})
		codes := []uint32{0}
		tries := int64(0)
		for task := 1; task <= rapid.IntRange(1, 30).Draw(t, "goals"); task++ {
			parent, pe := rapid.IntRange(0, task-1).Draw(t, "parent"), rapid.IntRange(0, pes-1).Draw(t, "pe")
			codes = append(codes, rapid.SampledFrom(procedures).Draw(t, "procedure"))
			for _, kind := range []tracer.Kind{tracer.Suspend, tracer.Reduce} {
				if kind == tracer.Suspend && !rapid.Bool().Draw(t, "suspends") {
					continue
				}
				cost := rapid.Int64Range(1, 9).Draw(t, "cost")
				at[pe] += rapid.Int64Range(0, 2).Draw(t, "idle")
				*s.Slot() = tracer.Event{Kind: kind, Time: slices.Max(at), PE: int32(pe), Peer: -1, Task: uint64(task), Ref: uint64(parent), Code: codes[task], Value: cost}
				at[pe] = slices.Max(at) + cost
				tries++
			}
		}
		s.Sync()
		m.SetMeta(tracer.Meta{PEs: pes})
		must.Do(t, m.Close())
		again, text := roundTrip(t, m)
		if got, want := spent(t, again), spent(t, m); !maps.Equal(got, want) {
			t.Errorf("read again\n%v\nwritten\n%v\n%s", got, want, text)
		}
		tree := must.Get(callingcontext.Grow(again, nil, nil, nil))(t)
		if n := tree.Total(callingcontext.Root, tree.Metric("calls"), true); n != tries {
			t.Errorf("%d calls, want %d", n, tries)
		}
	})
}

// spent returns the time of all processes in each context, by the names of its procedures.
func spent(t rapid.TB, m *tracer.Memory) map[string]int64 {
	tree := must.Get(callingcontext.Grow(m, nil, nil, nil))(t)
	out := map[string]int64{}
	names := make([]string, tree.Nodes())
	for v := 1; v < tree.Nodes(); v++ {
		names[v] = names[tree.Parent[v]] + "/" + m.Dict().Code(tree.Code[v]).Name
		if n := tree.Total(int32(v), tree.Metric("time"), false); n != 0 {
			out[names[v]] += n
		}
	}
	return out
}

func TestDeep(t *testing.T) {
	m := must.Get(read(profile.Options{}, evented(3, strings.Repeat(`{"type":"O","frame":0,"at":1},`, mostDepth)+`{"type":"O","frame":1,"at":2}`)))(t)
	if n := len(m.Dict().Contexts()); n != mostDepth+1 {
		t.Errorf("%d contexts", n)
	}
}

// TestCut cuts a file at each byte. Once there is a frame that opens, it is read, and the metadata say where the file ends.
func TestCut(t *testing.T) {
	text := strings.Replace(evented(5, `{"type":"O","frame":0,"at":1},{"type":"C","frame":0,"at":3},{"type":"O","frame":1,"at":4},{"type":"C","frame":1,"at":5}`), "{", `{"exporter":"a \\\"}",`, 1)
	begun, last := false, int64(0)
	for n := range len(text) {
		m, err := read(profile.Options{}, text[:n])
		if err != nil {
			if begun {
				t.Fatalf("%d bytes: %v", n, err)
			}
			continue
		}
		count, meta := m.Counts()[tracer.Sample], m.Meta()
		if begun = begun || count > 0; begun && (count < last || !strings.Contains(meta.Missing(), "on: the file is cut")) {
			t.Fatalf("%d bytes: %d samples after %d, missing %q", n, count, last, meta.Missing())
		}
		last = count
	}
	if whole := must.Get(read(profile.Options{}, text))(t).Counts()[tracer.Sample]; last != whole {
		t.Errorf("%d samples without the last byte, %d with it", last, whole)
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"simple", "two-sampled"} {
		if b, err := os.ReadFile("../../../testdata/profiles/" + name + ".speedscope.json"); err == nil {
			f.Add(b)
		}
	}
	f.Add([]byte(evented(5, `{"type":"O","frame":0,"at":0.5},{"type":"C","frame":1,"at":-1}`)))
	f.Add([]byte(`{"profiles":[{"type":"sampled","unit":"seconds","samples":[[0,9],[-1]],"weights":[1e18,-2]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		Detect(data)
		m, err := read(profile.Options{}, string(data))
		if err != nil {
			return
		}
		roundTrip(t, m)
	})
}

// TestTimeFirst checks that the metric of the first sample, which views show, is the time of frames and not their number.
func TestTimeFirst(t *testing.T) {
	text := strings.Replace(evented(9, `{"type": "O", "frame": 0, "at": 0}, {"type": "O", "frame": 1, "at": 0}, {"type": "C", "frame": 1, "at": 4},
{"type": "C", "frame": 0, "at": 9}`), `"none"`, `"milliseconds"`, 1)
	m := must.Get(read(profile.Options{}, text))(t)
	var got []string
	must.Do(t, m.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
		for _, e := range es {
			got = append(got, fmt.Sprintf("%s %d at %d", m.Dict().Code(e.Code).Name, e.Value, e.Time))
		}
		return nil
	}))
	if want := []string{"time 4000000 at 0", "calls 1 at 0", "calls 1 at 0", "time 5000000 at 4000000"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
