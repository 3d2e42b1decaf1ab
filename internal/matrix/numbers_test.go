package matrix

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/open"
	"whorl/tracer/report"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/views"
)

// further are traces of live runs, of other programs and of tests.
var further = []source{
	{"live-goals", "FGHC on two cores", kept("live-goals.txt")},
	{"live-threads", "threads on two cores", kept("live-threads.txt")},
	{"live-nodes", "threads on two nodes of two cores each", kept("live-nodes.txt")},
	{"two-nodes", "logs of two nodes, which know the processor time of processes alone", kept("two-nodes.dtslog")},
	{"quicksort", "a trace file of VISTA", kept("quicksort.vista")},
	{"fghc-queens", "FGHC with thieves", func(t *testing.T) tracer.Source {
		return run(t, func(r *experiment.Run) {
			r.Program, r.Args, r.PEs, r.Policy = "fghc/queens", []string{"5"}, 3, "steal-half"
		})
	}},
	{"cluster-threads", "threads with messages", func(t *testing.T) tracer.Source {
		return run(t, func(r *experiment.Run) {
			r.Program, r.Args, r.PEs, r.Machine, r.Policy = "dts/quicksort", []string{"10000", "64"}, 6, "cluster", "steal"
		})
	}},
	{"hpf-rsa", "HPF without samples of waiting", func(t *testing.T) tracer.Source {
		return run(t, func(r *experiment.Run) { r.Program, r.Args = "hpf/rsa", []string{"20"} })
	}},
	{"small", "a synthetic trace", func(*testing.T) tracer.Source { return viewtest.Small() }},
	{"many", "a synthetic trace of steps", func(*testing.T) tracer.Source { return viewtest.Many(2000, 3, 100, 1, 7) }},
	{"called", "a synthetic profile", func(*testing.T) tracer.Source { return viewtest.Called() }},
}

// kept returns a function that opens a trace of testdata/traces.
func kept(name string) func(t *testing.T) tracer.Source {
	return func(t *testing.T) tracer.Source {
		trace := must.Get(open.Files([]string{"../../testdata/traces/" + name}, "", open.Options{}))(t)
		t.Cleanup(func() { trace.Close() })
		return trace
	}
}

// A claim is a number that a screen shows for a quantity of a run. The quantity is between low and high, as far as its digits say.
type claim struct {
	quantity, screen, text string
	low, high              float64
}

// units are those of numbers, and of columns after a comma.
var units = []struct {
	name  string
	scale float64
}{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"%", 0.01}}

// number reads a number with its unit, such as 5.84 ms, > 99.9 % or 3.61 of 4, and returns the bounds that its digits leave. A time without a
// fraction is rounded to three digits.
func number(text string) (low, high float64, ok bool) {
	words := strings.Fields(text)
	sign := ""
	if len(words) > 1 && (words[0] == "<" || words[0] == ">") {
		sign, words = words[0], words[1:]
	}
	if len(words) == 0 {
		return 0, 0, false
	}
	digits := strings.ReplaceAll(words[0], ",", "")
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0, 0, false
	}
	scale := 0.0
	for _, u := range units {
		if len(words) > 1 && u.name == words[1] {
			scale = u.scale
		}
	}
	_, fraction, _ := strings.Cut(digits, ".")
	half := 0.5 * math.Pow(10, -float64(len(fraction)))
	switch {
	case scale == 0: // a count or a ratio
		scale = 1
		if fraction == "" {
			half = 0
		}
	case fraction == "" && words[1] != "%" && x > 0:
		half = min(half, 0.5*math.Pow(10, math.Floor(math.Log10(x))-2))
	}
	switch sign {
	case "<":
		return 0, x * scale, true
	case ">":
		return x * scale, 1, true
	}
	return (x - half) * scale, (x + half) * scale, true
}

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
				s.claim(of(metric), f.Value)
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

// of returns the quantity of the total of a metric.
func of(metric string) string {
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
	if stats.OtherTasks != nil && src.Counts()[tracer.Start] > 0 {
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

// separate lists numbers that differ from those of other screens, by the beginnings of their quantities.
var separate = []struct {
	sources, screens []string
	quantity         string
}{
	// Procedures are those that the log names.
	{[]string{"two-nodes"}, []string{"procedures"}, "threads"},
}

// TestNumbers checks that all screens which show a quantity of a run show the same number.
func TestNumbers(t *testing.T) {
	for _, src := range slices.Concat(sources, further) {
		t.Run(src.name, func(t *testing.T) {
			s := collect(t, src.open(t))
			s.claims = slices.DeleteFunc(s.claims, func(c claim) bool {
				for _, x := range separate {
					if slices.Contains(x.sources, src.name) && slices.Contains(x.screens, c.screen) && strings.HasPrefix(c.quantity, x.quantity) {
						return true
					}
				}
				return false
			})
			if len(s.claims) < 20 {
				t.Errorf("%d numbers were found", len(s.claims))
			}
			for _, d := range disagreements(s.claims) {
				t.Error(d)
			}
		})
	}
}

// TestSeparateClocks checks that no screen claims to know how long PEs were idle when the clocks of their processes cannot be compared.
func TestSeparateClocks(t *testing.T) {
	for _, c := range collect(t, kept("two-nodes.dtslog")(t)).claims {
		if strings.Contains(c.quantity, "idle") || c.quantity == "busy share" {
			t.Errorf("%s shows %s %s", c.screen, c.quantity, c.text)
		}
	}
}

// disagreements returns a sentence for each quantity whose claims have no number in common.
func disagreements(claims []claim) (all []string) {
	claims = slices.Clone(claims)
	slices.SortStableFunc(claims, func(a, b claim) int { return strings.Compare(a.quantity, b.quantity) })
	for from := 0; from < len(claims); {
		end := from
		low, high := claims[from], claims[from]
		for ; end < len(claims) && claims[end].quantity == claims[from].quantity; end++ {
			if c := claims[end]; c.low > low.low {
				low = c
			}
			if c := claims[end]; c.high < high.high {
				high = c
			}
		}
		if from = end; low.low > high.high*(1+1e-9) {
			all = append(all, fmt.Sprintf("%s: %s in %s, but %s in %s", low.quantity, low.text, low.screen, high.text, high.screen))
		}
	}
	return all
}

// TestDisagreements checks what is compared: the numbers in texts, as far as their digits go, and sums of them.
func TestDisagreements(t *testing.T) {
	for _, c := range []struct {
		texts [2]string
		agree bool
	}{
		{[2]string{"5.84 ms", "5.842 ms"}, true},
		{[2]string{"5.84 ms", "5,844 µs"}, true},
		{[2]string{"5.84 ms", "5.847 ms"}, false},
		{[2]string{"2 ms", "1.98 ms"}, false},
		{[2]string{"2 ms", "2.004 ms"}, true},
		{[2]string{"1,209", "1,208"}, false},
		{[2]string{"90 %", "90.2 %"}, true},
		{[2]string{"90 %", "90.6 %"}, false},
		{[2]string{"> 99.9 %", "99.95 %"}, true},
		{[2]string{"< 0.1 %", "0.2 %"}, false},
		{[2]string{"0.98", "3.93"}, false},
		{[2]string{"3.61 of 4", "3.61"}, true},
		{[2]string{"756 reductions", "757"}, false},
	} {
		s := &screens{screen: "one"}
		s.claim("x", c.texts[0])
		s.claim("x", "no number")
		s.screen = "another"
		s.claim("x", c.texts[1])
		s.claim("y", "1", "2")
		s.claim("y", "3")
		if got := disagreements(s.claims); len(got) == 0 != c.agree {
			t.Errorf("%q: %q", c.texts, got)
		}
	}
}
