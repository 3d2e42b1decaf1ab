package lineprofile

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"whorl/tracer"
)

// cells returns the counts of a table by the name of the place and the PE, without zeros.
func cells(p *Profile, t *Table) map[string]int64 {
	counts := map[string]int64{}
	for i, r := range t.Rows {
		pes, ns := t.Cells(i)
		for k, pe := range pes {
			if ns[k] != 0 {
				counts[fmt.Sprint(place(p, &r), "/", pe)] += ns[k]
			}
		}
	}
	return counts
}

func place(p *Profile, r *Row) string {
	if r.Code != 0 {
		return p.codes[r.Code].Name
	}
	return fmt.Sprint(p.Files[r.Line.File].Name, ":", r.Line.Line)
}

// TestDifference compares differences with those of the cells of two tables, for equal and for different numbers of PEs.
func TestDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) *Profile {
			pes := rapid.IntRange(1, 3).Draw(t, name+" PEs")
			src := random(rapid.Uint64().Draw(t, name+" seed"), rapid.IntRange(1, 300).Draw(t, name+" events"), pes)
			meta := src.Meta()
			meta.PEs = pes
			src.SetMeta(meta)
			p, err := Grow(src, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		a, b := draw("a"), draw("b")
		g := Grain(rapid.IntRange(0, 2).Draw(t, "grain"))
		from := rapid.Int64Range(0, 300).Draw(t, "from")
		q := Query{Inclusive: rapid.Bool().Draw(t, "inclusive"), Time: &Span{from, from + rapid.Int64Range(0, 300).Draw(t, "more")}}
		m := NewMatch(a, b)
		if m.Metric(0) < 0 {
			t.Skip("the metrics differ")
		}
		q2 := q
		q2.Metric = m.Metric(0)
		want := cells(a, a.Sum(g, q))
		theirs := b.Sum(g, q2)
		if a.PEs == b.PEs {
			for k, n := range cells(b, theirs) {
				want[k] -= n
			}
		} else {
			for i := range theirs.Rows {
				for pe := range a.PEs {
					want[fmt.Sprint(place(b, &theirs.Rows[i]), "/", pe)] -= int64(math.Round(float64(theirs.Rows[i].Total) * (1 / float64(b.PEs))))
				}
			}
		}
		for k, n := range want {
			if n == 0 {
				delete(want, k)
			}
		}
		d := m.Difference(g, q)
		if diff := cmp.Diff(want, cells(a, d)); diff != "" {
			t.Fatal(diff)
		}
		most := int64(0)
		for i := range d.Rows {
			most = max(most, d.Rows[i].Extreme(), -d.Rows[i].Extreme())
		}
		if d.Most != most || d.Rest != 0 || len(d.start) != len(d.Rows)+1 {
			t.Fatalf("the largest difference is %d, want %d; %d are elsewhere", d.Most, most, d.Rest)
		}
	})
}

// TestMatch finds the lines of a file with another folder, the second of two functions with one name, and what one of the profiles lacks. A tick of the
// other run is 2 ms and one of this run 1 ms.
func TestMatch(t *testing.T) {
	type at struct {
		function, file string
		line           int32
	}
	profile := func(scale float64, places ...at) *Profile {
		m := tracer.NewMemory()
		d := m.Dict()
		ticks := d.Add(tracer.Code{Type: tracer.Metric, Name: "time", Unit: "ms", Scale: scale})
		m.SetMeta(tracer.Meta{PEs: 1})
		s := m.Stream(tracer.StreamInfo{})
		for i, p := range places {
			f := d.Add(tracer.Code{Type: tracer.Function, Name: p.function, File: p.file, Line: p.line})
			l := d.Add(tracer.Code{Type: tracer.Line, Parent: f, File: p.file, Line: p.line + 1})
			*s.Slot() = tracer.Event{Kind: tracer.Sample, Time: int64(i), Ref: uint64(d.AddContext(tracer.Context{Code: l})), Code: ticks, Value: 10}
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		return grow(t, m)
	}
	a := profile(1, at{"f", "/new/x.go", 10}, at{"g", "/new/y.go", 20}, at{"f", "/new/x.go", 30}, at{"only", "/new/x.go", 40})
	b := profile(2, at{"gone", "/old/x.go", 50}, at{"f", "/old/x.go", 10}, at{"f", "/old/x.go", 30}, at{"g", "/old/z.go", 20})
	m := NewMatch(a, b)
	for _, c := range []struct {
		grain Grain
		want  map[string]int64
	}{
		{ByLine, map[string]int64{"/new/x.go:11/0": -10, "/new/x.go:31/0": -10, "/new/x.go:41/0": 10, "/new/y.go:21/0": 10}},
		{ByFunction, map[string]int64{"f/0": -20, "g/0": 10, "only/0": 10}},
	} {
		d := m.Difference(c.grain, Query{})
		if diff := cmp.Diff(c.want, cells(a, d)); diff != "" {
			t.Error(diff)
		}
		if d.Total != 40-80 || d.Rest != 40 {
			t.Errorf("grain %d: the total differs by %d and %d are elsewhere", c.grain, d.Total, d.Rest)
		}
	}
	if NewMatch(a, profile(1)).Metric(0) >= 0 {
		t.Error("a profile without samples has the metric")
	}
}
