// Package comparison shows the numbers of compared runs in one table: a row for each run, or for each setting with means over its seeds. Columns
// have the properties that distinguish the runs and the numbers of whorl compare, with bars and with the differences to the first row. A click on a
// heading sorts the rows; a click on a row shows its run.
package comparison

import (
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/report"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// Kind describes the view. It opens every trace; a trace that is compared with no other has a table with one row.
func Kind() *view.Kind {
	return &view.Kind{
		Name:      "comparison",
		Title:     "Comparison",
		Doc:       "the numbers of the compared runs in one table, with bars and differences to the first run",
		Icon:      icon.Table,
		Positions: []view.Position{{In: view.Compared, Slot: view.Right, Rank: 2}},
		Needs:     []tracer.KindSet{0}, // no kind of event: every trace
		Picture:   view.Draws(geometryStage),
		Params:    []view.Param{rowsParam, differences, sortParam, reverse, view.Background},
		Keys:      keys,
		Whole:     true,
		Group:     true,
	}
}

// Values of the parameter rows.
const (
	eachRun  = "runs"
	eachMean = "means"
)

var (
	rowsParam = view.Param{
		Name: "rows", Label: "Rows", Doc: "a row for each run, or for each setting with means over its seeds and 95 % confidence intervals",
		Default: eachRun, Choices: []string{eachRun, eachMean},
	}
	differences = view.Param{Name: "differences", Label: "Differences", Doc: "numbers have their difference to the first row beside them", Default: true}
	sortParam   = view.Param{Name: "sort", Label: "Sort by", Doc: "the column that rows are sorted by: order, run, program, pes, policy, time_ns or the name of another column in CSV", Default: byOrder}
	reverse     = view.Param{Name: "reverse", Label: "Reverse order", Doc: "the smallest number or the last name comes first", Default: false}
)

var keys = []view.Key{
	{Key: "Home", Doc: "go to the start: first rows"},
	{Key: "End", Doc: "go to the end: last rows"},
	{Key: "PageUp", Doc: "a page up"},
	{Key: "PageDown", Doc: "a page down"},
}

// A Run is one of the compared runs.
type Run struct {
	Trace   string      // its name in selections
	Title   string      // what tells it from the others
	Meta    tracer.Meta // of its trace
	Numbers *report.Run // nil as long as they are not known
	State   string      // the reason why there are no numbers, "" if there are
	Reading bool        // its numbers are being computed
}

// A Group is the value of the source view.Group: the compared runs in their order.
type Group struct{ Runs []Run }

// Pending reports whether numbers of the runs are being computed.
func (g *Group) Pending() bool {
	return slices.ContainsFunc(g.Runs, func(r Run) bool { return r.Reading })
}

// Measure returns a run with its numbers, which it computes from its trace.
func Measure(name string, src tracer.Source) (Run, error) {
	a, err := account.Compute(src)
	if err != nil {
		return Run{}, err
	}
	numbers, err := report.MeasureRun(src, a, nil)
	return Run{Trace: name, Title: name, Meta: src.Meta(), Numbers: numbers}, err
}

// Numbers is the stage that measures a run by its account, which other views may have derived already.
var Numbers = flow.Derive("numbers", "the numbers of the run", flow.In(view.Trace, timeplot.AccountStage), nil,
	func(c *flow.Call[*report.Run]) (*report.Run, error) {
		return report.MeasureRun(view.Trace.In(c), timeplot.AccountStage.In(c), c.Tick)
	})

var _ interface {
	view.Overlayer
	view.Tipper
	view.Responder
	view.Tabular
	view.Chooser
	view.Doubter
} = (*Geometry)(nil)

// A Geometry is the picture of the table.
type Geometry struct {
	run      *view.Run
	group    *Group
	compared *report.Comparison
	rows     []row    // in the order shown
	columns  []column // after the number of the row
	sort     string
	reverse  bool
}

// A row is a row of the table. Its index is that of its cell in the comparison.
type row struct {
	index int
	run   *Run // the first run of the row
}

var geometryStage = flow.Derive("comparison", "the table of the compared runs",
	flow.In(view.Trace, view.Group, view.RunStage, Numbers), flow.Params{rowsParam.Name, differences.Name, sortParam.Name, reverse.Name},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		group, ok := view.Group.In(c).(*Group)
		if !ok || group == nil {
			numbers := Numbers.In(c)
			group = &Group{[]Run{{Title: numbers.Program, Meta: view.Trace.In(c).Meta(), Numbers: numbers}}}
		}
		g := &Geometry{run: view.RunStage.In(c), group: group, sort: c.Params.Text(sortParam.Name), reverse: c.Params.Bool(reverse.Name)}
		g.compare(c.Params.Text(rowsParam.Name) == eachMean)
		g.columns = g.columnsOf(c.Params.Bool(differences.Name))
		g.order()
		return g, nil
	})

// compare compares the runs. Numbers that compare runs with each other are unknown until the numbers of all runs are.
func (g *Geometry) compare(means bool) {
	var all []*report.Run
	g.compared = &report.Comparison{Seeds: 1}
	for i := range g.group.Runs {
		r := &g.group.Runs[i]
		run := *report.RunOf(r.Meta)
		if r.Numbers != nil {
			run = *r.Numbers
		}
		if r.State != "" {
			run.Outcome = r.State
		}
		all = append(all, &run)
		if run.Policy != "" && !slices.Contains(g.compared.Policies, run.Policy) {
			g.compared.Policies = append(g.compared.Policies, run.Policy)
		}
	}
	if means {
		g.compared.Compare(all)
	} else {
		g.compared.CompareEach(all)
	}
	for i := range g.compared.Cells {
		x := &g.compared.Cells[i]
		g.compared.Seeds = max(g.compared.Seeds, x.Total)
		for k, run := range all {
			if run.Setting == x.Setting && (means || k == i) {
				g.rows = append(g.rows, row{i, &g.group.Runs[k]})
				break
			}
		}
		if g.group.Pending() {
			for _, n := range []report.Number{report.BestSpeedup, report.OwnSpeedup, report.SpeedupEfficiency} {
				x.Numbers[n] = report.Estimate{}
			}
		}
	}
	if g.group.Pending() {
		g.compared.Best = report.Baseline{}
	}
}

// Bounds returns a rectangle 1 wide and as many lines high as the table.
func (g *Geometry) Bounds() scene.Rect { return scene.Rect{X1: 1, Y1: float64(len(g.rows) + 1)} }

// Legend names what the runs have in common, and explains the numbers.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	l := view.Legend{Title: "Comparison", Subtitle: "Numbers of " + figures.Counted(int64(len(g.rows)), "run")}
	var facts []view.Fact
	for _, p := range properties {
		switch text := p.text(&g.compared.Cells[0]); {
		case text == "" || !g.same(p):
		case p.key == byProgram:
			l.Title = text
		case p.key == byArguments && l.Title != "Comparison" && g.compared.Cells[0].Args != "":
			l.Title += " " + text
		default:
			facts = append(facts, view.Fact{Label: p.label, Value: text})
		}
	}
	l.Warning = g.warning()
	if len(facts) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "The same for all", Facts: facts})
	}
	var notes []string
	for _, line := range g.compared.Heading()[2:] {
		notes = append(notes, view.Capital(line)+".")
	}
	if layout(f, g).showsDifferences() {
		notes = append(notes, "Small numbers are differences to the first row: in percent, as a factor (×), or in percentage points (pp) for shares.")
	}
	if len(notes) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	return l
}

// warning says which runs are not whole, or that numbers are being computed.
func (g *Geometry) warning() string {
	if len(g.group.Runs) == 1 {
		return g.run.Legend("").Warning
	}
	var cut []string
	for _, r := range g.group.Runs {
		if r.Meta.Missing() != "" {
			cut = append(cut, r.Title)
		}
	}
	switch {
	case g.group.Pending():
		return "Some numbers are being computed"
	case len(cut) > 0:
		return "Incomplete: " + strings.Join(cut, ", ")
	}
	return ""
}
