package chrome

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/waits"
	"whorl/tracer/testdata/tracertest"
)

// elapsed returns the sum of the samples of elapsed time by calling context, such as main;request;parse.
func elapsed(t rapid.TB, m *tracer.Memory) map[string]int64 {
	sums := map[string]int64{}
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Sample)) {
		if m.Dict().Code(e.Code).Name == tracer.RegionTime {
			sums[path(m, uint32(e.Ref))] += e.Value
		}
	}
	return sums
}

func path(m *tracer.Memory, context uint32) string {
	c := m.Dict().Context(context)
	name := m.Dict().Code(c.Code).Name
	if c.Parent == 0 {
		return name
	}
	return path(m, c.Parent) + ";" + name
}

// A drawn is a slice of a random thread.
type drawn struct {
	from, to int
	name     string
	whole    bool
}

// draw returns random nested slices within a time.
func draw(t *rapid.T, from, to, depth int) (list []drawn) {
	for at := from; at < to && depth < 5; {
		s := drawn{at + rapid.IntRange(1, 9).Draw(t, "gap"), 0, rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name"), rapid.Bool().Draw(t, "whole")}
		s.to = s.from + rapid.IntRange(1, 40).Draw(t, "length")
		if s.to >= to {
			return list
		}
		list = append(list, s)
		list = append(list, draw(t, s.from, s.to, depth+1)...)
		at = s.to
	}
	return list
}

// TestElapsed compares the times of nested slices with those found by looking at each ns which slices contain it.
func TestElapsed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := draw(t, 0, 200, 0)
		want := map[string]int64{}
		for at := range 300 {
			var around []drawn
			for _, s := range list {
				if s.from <= at && at < s.to {
					around = append(around, s)
				}
			}
			slices.SortFunc(around, func(a, b drawn) int { return (b.to - b.from) - (a.to - a.from) })
			p := "main"
			for _, s := range around {
				p += ";" + s.name
			}
			if len(around) > 0 {
				want[p]++
			}
		}
		type line struct {
			time int
			text string
		}
		lines := []line{{0, `{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}}`}}
		for _, s := range list {
			event := func(at int, more string) {
				lines = append(lines, line{at, fmt.Sprintf(`{%s,"name":%q,"args":{"x":[1,"}"]},"pid":1,"tid":1,"ts":%d.%03d}`, more, s.name, at/1000, at%1000)})
			}
			if s.whole {
				event(s.from, fmt.Sprintf(`"ph":"X","dur":0.%03d`, s.to-s.from))
				continue
			}
			event(s.from, `"ph":"B"`)
			event(s.to, `"ph":"E"`)
		}
		if rapid.Bool().Draw(t, "in order") {
			slices.SortStableFunc(lines, func(a, b line) int { return a.time - b.time })
		} else {
			lines = rapid.Permutation(lines).Draw(t, "order")
		}
		var text strings.Builder
		for i, l := range lines {
			if i > 0 {
				text.WriteString(",\n")
			}
			text.WriteString(l.text)
		}
		m, err := read("[" + text.String() + "]")
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, elapsed(t, m)); d != "" {
			t.Errorf("%s\n%s", text.String(), d)
		}
		check(t, m)
	})
}

// TestPath checks who is on the critical path: the reply waits for the message of the pool, which the request has started.
func TestPath(t *testing.T) {
	m := must.Get(read(string(must.Get(os.ReadFile("testdata/small.json"))(t))))(t)
	w := must.Get(waits.Build(m, nil))(t)
	last := uint64(0)
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Busy)) {
		if m.Dict().Code(e.Code).Name == "main" {
			last = e.Task
		}
	}
	p := must.Get(w.Path(m, last, 55_000, nil))(t)
	var got []string
	for _, x := range p.Pieces {
		got = append(got, fmt.Sprintf("%d-%d %s %s", x.From, x.To, m.Dict().Code(x.Code).Name, x.Activity))
	}
	want := []string{"0-20000 main runs", "20000-30000 pool waits for a PE", "30000-48000 pool runs", "48000-50000 main messages", "50000-55000 main runs"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
