package matrix

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/internal/figures"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/report"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/views"
)

// screens collects what the screens of a trace claim.
type screens struct {
	claims []claim
	screen string
	metric string // of the contexts in the screen
}

// claim adds a number. Several texts are parts of a sum.
func (s *screens) claim(quantity string, texts ...string) {
	c := claim{quantity: quantity, screen: s.screen, text: strings.Join(texts, " + ")}
	for _, text := range texts {
		low, high, ok := number(text)
		if !ok {
			return
		}
		c.low, c.high = c.low+low, c.high+high
	}
	s.claims = append(s.claims, c)
}

// names are the quantities of labels that are not their names.
var names = []struct{ screen, label, quantity string }{
	{"", "busy pes", "pes at work"},
	{"", "pes that worked", "pes with work"},
	{"", "processes", "pes"},
	{"measures", "idle", "idle share"},
	{"measures", "overhead", "overhead share"},
}

// own are the blocks of legends whose numbers are of the picture, not of the run.
var own = []string{"Now", "Model", "Layout", "Lines"}

// fact adds a number with a label.
func (s *screens) fact(label, value string) {
	label = strings.ToLower(label)
	for _, n := range names {
		if n.label == label && (n.screen == "" || n.screen == s.screen) {
			label = n.quantity
		}
	}
	s.claim(label, value)
}

// legend adds the numbers of a legend.
func (s *screens) legend(l view.Legend) {
	_, metric, _ := strings.Cut(l.Subtitle, " by ")
	s.metric = metric
	for _, b := range l.Blocks {
		if slices.Contains(own, b.Title) {
			continue
		}
		for _, f := range b.Facts {
			switch f.Label {
			case "Work":
				s.claim("work", f.Value)
				fallthrough
			case "Run time":
				s.claim("ran", f.Value)
			case "Total":
				s.claim(quantityOf(metric), f.Value)
			case "Rows":
			case "Contexts":
				if _, all, some := strings.Cut(f.Value, " of "); some {
					f.Value = all
				}
				fallthrough
			default:
				s.fact(f.Label, f.Value)
			}
		}
		for k, column := range b.Columns {
			var sum []string
			for _, w := range b.Swatches {
				if k >= len(w.Values) {
					continue
				}
				sum = append(sum, w.Values[k])
				switch {
				case column == "exclusive" && metric == "time":
					s.claim("share of "+w.Label, w.Values[k])
				case b.Title != "State":
				case column == "time":
					s.claim(state(w.Label), w.Values[k])
				default:
					s.claim(state(w.Label)+" "+column, w.Values[k])
				}
			}
			if b.Title == "PE" {
				s.claim(column, sum...)
			}
		}
	}
}

// quantityOf returns the quantity of the total of a metric.
func quantityOf(metric string) string {
	if metric == "time" {
		return "work"
	}
	return metric
}

// state returns the quantity of a state in a legend.
func state(label string) string {
	if label == "busy" {
		return "work"
	}
	return label
}

// table adds the numbers of a table: rows of a name and cells below the titles.
func (s *screens) table(titles, cells []string) {
	for row := range slices.Chunk(cells, len(titles)) {
		name := row[0]
		switch {
		case titles[0] == "PE":
			name = "PE " + name
		case name == "all":
			name = "all " + strings.ToLower(titles[0]) + "s"
		}
		for k := 1; k < len(row); k++ {
			quantity, unit, _ := strings.Cut(titles[k], ", ")
			if strings.HasPrefix(name, "all ") && quantity == "time" {
				switch titles[0] {
				case "PEs waited for":
					s.claim("waiting", row[k]+" "+unit)
				case "Blocked":
					s.claim("blocked", row[k]+" "+unit)
				}
			}
			if titles[0] == "PE" && unit == "" && strings.HasSuffix(row[k], "%") {
				quantity += " share"
			}
			s.claim(quantity+" of "+name, row[k]+" "+unit)
		}
	}
}

// stats adds the numbers of the table of stats.
func (s *screens) stats(t *testing.T, src tracer.Source) {
	s.screen = "stats"
	stats := must.Get(report.Summarise(src))(t)
	var b strings.Builder
	must.Do(t, stats.WriteTable(&b))
	s.sums(src, stats)
	list := ""
	for line := range strings.Lines(b.String()) {
		fields := strings.FieldsFunc(strings.ReplaceAll(strings.TrimRight(line, "\n"), "  ", "\x00"), func(r rune) bool { return r == 0 })
		if line[0] != ' ' {
			list = fields[0]
		}
		if list == "functions" || list == "lines" || list == "tasks by work" {
			if len(fields) < 3 { // and so many more
				continue
			}
			f := fields
			if line[0] != ' ' {
				f = fields[1:]
			}
			s.claim("time of "+strings.TrimSpace(f[0]), f[1])
			s.claim("share of "+strings.TrimSpace(f[0]), f[2])
			continue
		}
		if line[0] != ' ' {
			value, note, _ := strings.Cut(strings.TrimSpace(fields[1]), ", ")
			s.claim(strings.ToLower(fields[0]), value)
			if n, ok := strings.CutSuffix(note, " of them active"); ok {
				s.claim("pes with work", n)
			}
			if len(fields) > 2 {
				s.claim(fields[0]+" share", fields[2])
			}
		}
	}
}

// sums adds the sums of the lists of stats.
func (s *screens) sums(src tracer.Source, stats *report.Stats) {
	exact := func(quantity string, ns int64) {
		s.claims = append(s.claims, claim{quantity, "stats", figures.Duration(ns), float64(ns), float64(ns)})
	}
	functions, lines, waits := int64(0), int64(0), int64(0)
	for _, f := range stats.Functions {
		functions += f.TimeNs
	}
	for _, l := range stats.Lines {
		lines += l.TimeNs
	}
	for _, x := range stats.TopTasks {
		waits += x.WaitNs
	}
	if len(stats.Functions) > 0 {
		exact("work", functions)
	}
	if len(stats.Lines) > 0 {
		exact("work", lines)
	}
	if stats.OtherTasks != nil {
		exact("blocked", waits+stats.OtherTasks.WaitNs)
	}
	if stats.WorkNs != nil {
		exact("work", *stats.WorkNs)
	}
	if stats.BlockedNs != nil {
		exact("blocked", *stats.BlockedNs)
	}
}

// compared are the numbers of a comparison with their quantities.
var compared = []struct {
	number   report.Number
	quantity string
}{
	{report.ElapsedTime, "elapsed"},
	{report.ParallelEfficiency, "parallel efficiency"},
	{report.LoadBalance, "load balance"},
	{report.SerialisationFactor, "serialisation"},
	{report.TransferFactor, "transfer"},
	{report.ReductionCount, "reductions"},
	{report.SuspensionCount, "suspensions"},
	{report.MessageCount, "messages"},
	{report.ByteCount, "bytes sent"},
	{report.IdleShare, "idle share"},
}

// comparison adds the numbers of a trace in a table of compare.
func (s *screens) comparison(t *testing.T, src tracer.Source) {
	r := must.Get(report.MeasureRun(src, must.Get(account.Compute(src))(t), nil))(t)
	for _, c := range compared {
		if x := r.Numbers[c.number]; x != nil {
			s.claims = append(s.claims, claim{c.quantity, "compare", fmt.Sprint(*x), *x, *x})
		}
	}
}

// collect adds the numbers of all screens.
func collect(t *testing.T, src tracer.Source) *screens {
	const wide, tall = 2400, 1600
	s := &screens{}
	glyphs := glyph.New()
	s.stats(t, src)
	s.comparison(t, src)
	for _, k := range views.All {
		if k.CanOpen(src) != nil {
			continue
		}
		s.screen = k.Name
		o := must.Get(view.Open(k, src, glyphs))(t)
		r := must.Get(o.Geometry(t.Context(), 0, tall))(t)
		area := scene.Rect{X1: wide, Y1: tall}
		f := &view.Frame{
			Area: area, Clip: area, Camera: view.Fit(view.BoundsAt(r.Value, nil), area, 0), Style: view.NewStyle(false, 12), Text: glyphs,
			Trace: "t", State: &view.State{},
		}
		s.legend(r.Value.Legend(f))
		l := scene.New(wide, tall)
		view.Draw(r.Value, f, l)
		o.Close()
		s.picture(viewtest.Strings(l))
	}
	return s
}

// tables are the titles of the tables in the view measures after the first.
var tables = []string{"Procedure", "Function", "Line", "Task", "PE", "PEs waited for", "Blocked"}

// picture adds the numbers of the tables of a picture.
func (s *screens) picture(texts []string) {
	switch s.screen {
	case "measures":
		next := func(from int) int {
			if i := slices.IndexFunc(texts[from:], func(t string) bool { return slices.Contains(tables, t) }); i >= 0 {
				return from + i
			}
			return len(texts)
		}
		end := next(0)
		for row := range slices.Chunk(texts[1:end], 2) {
			s.fact(row[0], row[1])
		}
		for end < len(texts) {
			from := end
			end = next(from + 1)
			first := from + slices.Index(texts[from:end], "all")
			s.table(texts[from:first], texts[first:end])
		}
	case "functions":
		first := slices.IndexFunc(texts, func(t string) bool { return strings.HasPrefix(t, "PEs ") })
		titles, rows := slices.Clone(texts[:first]), texts[first+1:]
		if rows[0] == "file" {
			titles, rows = append(titles, rows[0]), rows[1:]
		}
		for k := 1; k < first; k++ {
			if titles[k] = titles[k] + " " + s.metric; titles[k] == "exclusive time" {
				titles[k] = "time"
			}
		}
		s.table(titles, rows)
	}
}
