package fidelity

import (
	"fmt"
	"image/color"
	"io"
	"slices"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/lineprofile"
	"whorl/tracer/testdata/tracertest"
	"whorl/visual/flow"
	"whorl/visual/layout/strips"
	"whorl/visual/palette"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
	"whorl/visual/views/overview"
)

// busyLines returns the lines with samples in the single file of a run, directly from its events, and the number of lines of the file.
func busyLines(t *testing.T, src tracer.Source) (busy map[int]bool, lines int) {
	t.Helper()
	busy = map[int]bool{}
	d := src.Dict()
	for _, e := range tracertest.Events(t, src, tracer.Kinds(tracer.Sample)) {
		c := d.Code(d.Context(uint32(e.Ref)).Code)
		for c.Type == tracer.Instruction {
			c = d.Code(c.Parent)
		}
		if c.Type == tracer.Line {
			busy[int(c.Line)] = true
		}
	}
	return busy, strings.Count(src.Meta().Source[0].Text, "\n")
}

// left counts the lines that remain when stretches of more than skip empty lines are removed.
func left(busy map[int]bool, lines, skip int) (n int) {
	run := 0
	for line := 1; line <= lines+1; line++ {
		if line <= lines && !busy[line] {
			run++
			continue
		}
		if run <= skip {
			n += run
		}
		if run = 0; line <= lines {
			n++
		}
	}
	return n
}

// lineFidelity measures the figures of the PerfVisS paper on its overview.
func lineFidelity(t *testing.T, doc io.Writer) {
	r := experiment.Defaults("hpf/spike")
	r.PEs = 4
	result, trace := run(t, r)
	if result.Outcome != tracer.Done {
		t.Fatal(result.Err)
	}
	p := must.Get(lineprofile.Grow(trace, nil, nil))(t)
	var rows []int
	table := p.Sum(lineprofile.ByLine, lineprofile.Query{})
	for _, r := range table.Rows {
		if r.Total > 0 {
			rows = append(rows, int(r.Line.Line)-1)
		}
	}
	busy, lines := busyLines(t, trace)
	// Compare the layout with a second computation, for the paper's numbers and for others.
	for _, s := range []strips.Params{{Skip: 50, Bin: 4, Rows: 80}, {Skip: 5, Bin: 4, Rows: 80}, {Skip: 500, Bin: 3, Rows: 100}, {Skip: 20_000, Bin: 40, Rows: 17}, {Skip: 0, Bin: 1, Rows: 1}} {
		l := strips.New(lines, rows, s)
		n := left(busy, lines, s.Skip)
		if bins := (n + s.Bin - 1) / s.Bin; l.Kept != n || l.Bins != bins || l.Strips() != (bins+s.Rows-1)/s.Rows {
			t.Errorf("%+v: %d lines in %d bins in %d strips, want %d in %d in %d", s, l.Kept, l.Bins, l.Strips(), n, bins, (bins+s.Rows-1)/s.Rows)
		}
	}
	l := strips.New(lines, rows, strips.Params{Skip: 50, Bin: 4, Rows: 80})
	if l.Strips() != 14 || l.Kept < 4161 || l.Kept > 4480 {
		t.Errorf("%d lines fill %d strips", l.Kept, l.Strips())
	}
	if other := strips.New(lines, rows, strips.Params{Skip: 20_000, Bin: 4, Rows: 80}); other.Strips() <= 14 {
		t.Errorf("with longer runs kept there are %d strips", other.Strips())
	}
	busiest := p.Functions[0]
	most := int64(0)
	for _, r := range p.Sum(lineprofile.ByFunction, lineprofile.Query{}).Rows {
		if r.Total > most {
			most, busiest = r.Total, p.Functions[r.Function]
		}
	}
	pieces := l.Wrap(int(busiest.First)-1, int(busiest.Last))
	if len(pieces) != 1 || pieces[0].Strip != 7 {
		t.Errorf("the busiest procedure, %s, is at %v", busiest.Name, pieces)
	}
	fmt.Fprintf(doc, `
## PerfVisS

A program of as many lines as the paper's, sampled on four processors, in the overview with the paper's numbers: runs of more than 50 lines
without ticks are skipped, bins have 4 lines, and strips 80 bins. 14 strips hold from 4,161 to 4,480 lines.

| | paper | here |
|---|---:|---:|
| processors | 4 | %d |
| empty lines that are kept, and bins of a strip | 50; 80 | %s |
| lines (Figure 4) | 94,824 | %s |
| lines that are left | 4,161 to 4,480 | %s |
| bins | 1,041 to 1,120 | %s |
| strips | 14 | %d |
| strip of the busiest procedure | 8 | %d |
| least and most ticks of the hottest line | a dark bar, and a light one on it | %s |
| colours of most, of few and of no ticks | bright red; blue and green; black | %s |
`, trace.Meta().PEs, defaults(t, overview.Kind(), "skip", "strip"), figures.Count(int64(lines)), figures.Count(int64(l.Kept)), figures.Count(int64(l.Bins)), l.Strips(), pieces[0].Strip+1,
		hottest(t, trace, table), heat())
}

// defaults returns the default values of parameters of a view.
func defaults(t *testing.T, k *view.Kind, params ...string) string {
	t.Helper()
	var all []string
	for _, name := range params {
		all = append(all, fmt.Sprint(must.Get(k.Param(name))(t).Default))
	}
	return strings.Join(all, "; ")
}

// hottest describes the extremes of the line with the most ticks on one processor, counted from the events.
func hottest(t *testing.T, src tracer.Source, table *lineprofile.Table) string {
	t.Helper()
	row := table.Rows[0]
	for _, r := range table.Rows {
		if r.Max > row.Max {
			row = r
		}
	}
	d, counts := src.Dict(), make([]int64, src.Meta().PEs)
	for _, e := range tracertest.Events(t, src, tracer.Kinds(tracer.Sample)) {
		c := d.Code(d.Context(uint32(e.Ref)).Code)
		for c.Type == tracer.Instruction {
			c = d.Code(c.Parent)
		}
		if c.Type == tracer.Line && c.Line == row.Line.Line {
			counts[e.PE]++
		}
	}
	least, most := slices.Min(counts), slices.Max(counts)
	if least != row.Min || most != row.Max {
		t.Errorf("line %d has %d to %d ticks, in the profile %d to %d", row.Line.Line, least, most, row.Min, row.Max)
	}
	return fmt.Sprintf("line %s: %d, and %d more: %d", figures.Count(int64(row.Line.Line)), least, most-least, most)
}

// heat returns the colours of the largest amount, of small ones and of none.
func heat() string {
	hex := func(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
	s := palette.Schemes[0]
	none := lineplot.NewHeat(flow.Values{view.Palette.Name: s.Name, view.Background.Name: "light"}).None
	return fmt.Sprintf("%s; %s and %s; %s", hex(s.Heat(1, false)), hex(s.Heat(0.01, false)), hex(s.Heat(1.0/3, false)), hex(none.NRGBA()))
}
