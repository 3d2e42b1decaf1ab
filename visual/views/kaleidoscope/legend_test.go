package kaleidoscope

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/testdata/viewtest"
)

func TestEmptyTraceSaysSo(t *testing.T) {
	m := tracer.NewMemory()
	_, err := drawtest.Render(context.Background(), Kind(), m, nil, 400, 300, glyphs)
	if err == nil || err.Error() != "the kaleidoscope view needs Reduce or Fork events; this trace is empty" {
		t.Error(err)
	}
}

// TestNoTextOverlaps draws real legends at many sizes.
func TestNoTextOverlaps(t *testing.T) {
	testenv.Sequential(t)
	traces := []tracer.Source{quickSortTrace(), bushy(5000, 64, false), star(20_000, 12), procedures(40)}
	for i, src := range traces {
		for _, size := range [][2]int{{400, 300}, {300, 400}, {640, 480}, {1200, 900}, {900, 1600}, {2500, 700}, {4000, 3000}, {100, 100}, {64, 64}} {
			for _, by := range colorBy.Choices {
				l := render(t, src, size[0], size[1], map[string]string{"color": by})
				if wrong := viewtest.Texts(l, glyphs); wrong != nil {
					t.Errorf("trace %d, %dx%d by %s:\n%s", i, size[0], size[1], by, strings.Join(wrong, "\n"))
				}
			}
		}
	}
}

// procedures returns a trace with n procedures; procedure k has 2k+1 reductions.
func procedures(n int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "procedures", PEs: 2})
	s := m.Stream(tracer.StreamInfo{})
	task := uint64(0)
	for k := range n {
		code := m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: fmt.Sprintf("a_procedure_with_a_rather_long_name_%d/3", k)})
		for range 2*k + 1 {
			task++
			*s.Slot() = tracer.Event{Kind: tracer.Reduce, Time: int64(task), Task: task, Ref: task / 3, PE: -1, Code: code, Value: 10}
		}
	}
	s.Sync()
	return m
}

func TestLegendAddsUp(t *testing.T) {
	const patterned = "Patterns tell PEs of one colour apart. Shapes narrower than 6 pixels and mixtures show the colour alone."
	for _, c := range []struct {
		name     string
		src      tracer.Source
		by       string
		swatches int
		first    string
		total    int64
		note     string
	}{
		{"four PEs", quickSortTrace(), byPE, 4, "PE 0", 23, ""},
		{"by procedure", quickSortTrace(), byProcedure, 3, "part/4", 23, ""},
		{"64 PEs", bushy(5000, 64, false), byPE, 17, "PE 0", 5000, patterned},
		{"64 PEs and time", bushy(5000, 64, false), byPETime, 17, "PE 0", 5000, patterned},
		{"8 PEs and time", bushy(5000, 8, false), byPETime, 3, "PE 0", 5000, ""},
		{"128 PEs and time", bushy(5000, 128, true), byPETime, 3, "PEs 0–36", 5000, "Each colour stands for up to 11 of the 33 PEs with reductions."},
		{"a million PEs", withPEs(1<<20, 3), byPE, 1, "PE 0", 3, ""},
		{"40 procedures", procedures(40), byProcedure, 13, "a_procedure_with_a_rather_long_name_39/3", 1600, ""},
		{"no PEs", procedures(2), byPE, 3, "PE 0", 4, ""},
	} {
		g, f := shown(t, c.src, 500, "color", c.by)
		b := g.Legend(f).Blocks[0]
		if len(b.Swatches) != c.swatches || b.Swatches[0].Label != c.first {
			t.Errorf("%s: %d swatches from %q on, want %d from %q", c.name, len(b.Swatches), b.Swatches[0].Label, c.swatches, c.first)
		}
		var sum int64
		for _, s := range b.Swatches {
			var n int64
			if _, err := fmt.Sscan(strings.ReplaceAll(s.Values[0], ",", ""), &n); err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		if sum != c.total {
			t.Errorf("%s: the swatches count %d, want %d", c.name, sum, c.total)
		}
		if got := strings.Join(b.Notes, " "); got != c.note {
			t.Errorf("%s: notes %q, want %q", c.name, got, c.note)
		}
	}
}

// tried returns a trace of two reductions, the second after a try that ended in suspension. A cost of 0 leaves out durations.
func tried(cost int64) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "p", PEs: 1})
	s := m.Stream(tracer.StreamInfo{})
	for i, e := range []tracer.Event{{Kind: tracer.Reduce, Task: 1}, {Kind: tracer.Suspend, Task: 2}, {Kind: tracer.Reduce, Task: 2, Ref: 1}} {
		e.Time, e.Value = int64(i)*1000, cost
		*s.Slot() = e
	}
	s.Sync()
	return m
}

// TestTimesOfReductions checks that legend and tip say that times leave out tries, and that a record without durations has no times.
func TestTimesOfReductions(t *testing.T) {
	for _, c := range []struct {
		name    string
		cost    int64
		columns []string
		values  []string
		note    string
		tip     string
	}{
		{"with durations", 300, []string{"reductions", "time"}, []string{"2", "600 ns"}, "Tries that ended in suspension or failure are left out", "at 2 µs, the reduction took 300 ns"},
		{"without durations", 0, []string{"reductions"}, []string{"2"}, "", "at 2 µs"},
	} {
		g, f := shown(t, tried(c.cost), 400)
		b := g.Legend(f).Blocks[0]
		notes := b.ValuesNote
		if !slices.Equal(b.Columns, c.columns) || !slices.Equal(b.Swatches[0].Values, c.values) || !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s: %q, %q, %q", c.name, b.Columns, b.Swatches[0].Values, notes)
		}
		if strings.Contains(strings.Join(b.Notes, " "), "Tries") {
			t.Errorf("%s: the notes of the block mention the column: %q", c.name, b.Notes)
		}
		if lines := g.describe(1); !slices.Contains(lines, c.tip) {
			t.Errorf("%s: tip %q, want %q", c.name, lines, c.tip)
		}
	}
}
