package collapsed

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
)

func written(t rapid.TB, src tracer.Source) string {
	var b strings.Builder
	must.Do(t, Write(&b, src))
	return b.String()
}

// TestWritten checks the text of a written trace.
func TestWritten(t *testing.T) {
	for _, c := range []struct {
		pes   []tracer.PE
		scale float64
		want  string
	}{
		{
			[]tracer.PE{{Process: "heat 10"}},
			1,
			"Map,put 6\nmain;Map,put;two lines 3\n",
		}, {
			[]tracer.PE{{Process: "heat 10", Thread: "heat 12"}, {Process: "sh", Thread: "sh 7"}},
			1,
			"heat-10/12;Map,put 6\nheat-10/12;main;Map,put;two lines 3\nsh-?/7;Map,put 6\nsh-?/7;main;Map,put;two lines 3\n",
		}, {
			[]tracer.PE{{Process: "rank0;a"}, {Process: "rank1"}},
			0.5,
			"rank0,a-0;Map,put 3\nrank0,a-0;main;Map,put;two lines 1.5\nrank1-1;Map,put 3\nrank1-1;main;Map,put;two lines 1.5\n",
		},
	} {
		m := tracer.NewMemory()
		w := profile.NewWriter(m, profile.Options{})
		stream := m.Stream(tracer.StreamInfo{})
		first, second := w.Scaled("n", "", c.scale), w.Metric("bytes", "bytes")
		stack := func(names ...string) (context uint32) {
			for _, name := range names {
				context = w.Call(context, w.Frames(profile.Place{Lines: []profile.Line{{Function: name, Line: 3}}}))
			}
			return context
		}
		for i, p := range c.pes {
			pe := must.Get(w.Processor(p))(t)
			w.Sample(stream, int64(i), pe, stack("main", "Map;put", "two\nlines"), first, 3)
			w.Sample(stream, int64(i), pe, stack("Map;put"), first, 4)
			w.Sample(stream, int64(i), pe, stack("Map;put"), first, 2)
			w.Sample(stream, int64(i), pe, stack("other"), second, 1)
		}
		w.Finish()
		must.Do(t, m.Close())
		if got := written(t, m); got != c.want {
			t.Errorf("%+v:\n%swant\n%s", c.pes, got, c.want)
		}
	}
}

// TestRoundTrip checks that the sums of each processor and path of functions stay as they are.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := profiletest.Random(t)
		text := written(t, m)
		o := profile.Options{}
		if m.Meta().PEs == 1 {
			o.Processor = "file" // a function x-1/2 that begins all stacks looks like a thread
		}
		again, err := read(o, text)
		if err != nil {
			t.Fatal(err, " in\n", text)
		}
		name := func(of *tracer.Memory) func(int32) string {
			return func(pe int32) string {
				p := of.Meta().PEInfo[pe]
				switch {
				case m.Meta().PEs == 1:
					return ""
				case p.Host == "node": // named by its number
					return fmt.Sprintf("node %s %d", p.Process, pe)
				}
				return strings.TrimSpace(p.Process + " " + p.Thread)
			}
		}
		want, got := map[string]float64{}, map[string]float64{}
		for key, v := range profiletest.Contexts(t, m, name(m), false) {
			if rest := strings.Replace(key, " cpu ns ", " ", 1); rest != key {
				want[rest] = v
			}
		}
		for key, v := range profiletest.Contexts(t, again, name(again), false) {
			got[strings.Replace(key, " samples samples ", " ", 1)] = math.Round(v)
		}
		if !maps.Equal(got, want) {
			t.Fatalf("%v\nwant %v\nof %s", got, want, text)
		}
	})
}
