package runs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"whorl/internal/figures"
	"whorl/tracer/report"
	"whorl/visual/documents"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// numbersStage measures a run from its account, which views of its panes may have derived already.
var numbersStage = flow.Derive("numbers", "the numbers of the run", flow.In(view.Trace, timeplot.AccountStage), nil,
	func(c *flow.Call[*report.Run]) (*report.Run, error) {
		return report.MeasureRun(view.Trace.In(c), timeplot.AccountStage.In(c), c.Tick)
	})

// Numbers is the dialog with the numbers of compared runs: a column for each policy and number of PEs, with the means and confidence intervals
// of runs that differ only in their seeds. The runs are measured while the dialog is open, one after the other.
type Numbers struct {
	Open     bool
	readings map[*documents.Document]*reading
}

// A reading is the measurement of one run.
type reading struct {
	reader   *flow.Reader[*report.Run]
	data     *view.Data // that the reader reads
	revision uint64     // of the trace
	result   flow.Result[*report.Run]
	err      error
}

// pending reports whether the run is yet to be measured.
func (r *reading) pending() bool { return r == nil || !r.result.Done && r.err == nil }

// progress describes how far the measurement is.
func (r *reading) progress() string {
	if r == nil || r.result.Total == 0 {
		return ""
	}
	return fmt.Sprintf(", %s: %d %%", r.result.Doc, min(100*r.result.Progress/r.result.Total, 100))
}

// ended returns the runs that have ended.
func ended(all []*documents.Document) (over []*documents.Document) {
	for _, d := range all {
		if d.Live == nil || d.Live.Over {
			over = append(over, d)
		}
	}
	return over
}

// Measure works for a while on the next run that is yet to be measured. It reports whether there is more to do. When the dialog is closed, it
// stops the work and releases the results.
func (n *Numbers) Measure(all []*documents.Document, now, budget time.Duration) (more bool) {
	docs := ended(all)
	if !n.Open {
		docs = nil
	}
	for d, r := range n.readings {
		if !slices.Contains(docs, d) {
			r.reader.Rest()
			delete(n.readings, d)
		}
	}
	for _, d := range docs {
		if d.Fed.Revision != d.Revision() {
			d.Supply(now)
		}
		r := n.readings[d]
		if r == nil || r.data != d.Data {
			if n.readings == nil {
				n.readings = map[*documents.Document]*reading{}
			}
			r = &reading{reader: view.Read(d.Data, numbersStage), data: d.Data}
			n.readings[d] = r
		}
		if r.revision != d.Fed.Revision {
			r.revision, r.result.Done, r.err = d.Fed.Revision, false, nil
		}
		if r.pending() {
			r.result, r.err = r.reader.Get(context.Background(), budget)
			return true
		}
	}
	return false
}

// Draw draws the dialog for compared runs. It returns the numbers as CSV if the user wants to copy them.
func (n *Numbers) Draw(c *ui.Context, all []*documents.Document) (csv string) {
	if !n.Open {
		return ""
	}
	over := ended(all)
	var compared *report.Comparison
	var rows [][]string
	var text []string
	if left := len(all) - len(over); left > 0 {
		text = append(text, fmt.Sprintf("Left out until the end: %s.", figures.Counted(int64(left), "run")))
	}
	if err := sameProgram(over); err != nil {
		text = append(text, err.Error())
	} else {
		compared = n.compare(over)
		rows = rowsOf(compared)
		text = append(append(text, n.remarks(over)...), compared.Heading()[2:]...)
	}
	columns := 0
	if len(rows) > 0 {
		columns = len(rows[0]) - 1
	}
	buttons := []string{"Close"}
	if compared != nil && !slices.ContainsFunc(over, n.pending) {
		buttons = []string{"Copy as CSV", "Close"}
	}
	hit := widget.Dialog(c, "numbers", &n.Open, widget.DialogOptions{
		Title: "Numbers of the compared runs", W: max(380, 130+130*float32(columns)), H: 84 + 24*float32(len(rows)), Buttons: buttons,
	}, func(r ui.Rect) {
		drawNumbers(c, r, rows)
		r.Y0 += c.Px(24*float32(len(rows)) + ui.Pad)
		c.Paragraph(r, strings.Join(text, "\n"), ui.Type{Color: c.Theme.Muted})
	})
	if hit == len(buttons)-1 {
		n.Open = false
	}
	if hit == 0 && len(buttons) > 1 {
		var b strings.Builder
		if compared.WriteCSV(&b) == nil {
			return b.String()
		}
	}
	return ""
}

func (n *Numbers) pending(d *documents.Document) bool { return n.readings[d].pending() }

// remarks returns a line for the run that is being measured and one for each run that cannot be measured.
func (n *Numbers) remarks(docs []*documents.Document) (lines []string) {
	for i, d := range docs {
		if n.pending(d) {
			lines = append(lines, fmt.Sprintf("Reading run %d of %d, %s%s.", i+1, len(docs), d.Name, n.readings[d].progress()))
			break
		}
	}
	for _, d := range docs {
		if r := n.readings[d]; r != nil && r.err != nil {
			lines = append(lines, fmt.Sprintf("%s: %v", d.Name, r.err))
		}
	}
	return lines
}

// sameProgram returns an error unless all runs are of one program.
func sameProgram(docs []*documents.Document) error {
	for _, d := range docs {
		if d.Source.Meta().Program != docs[0].Source.Meta().Program {
			return fmt.Errorf("%s and %s are runs of different programs; the view measures has the numbers of each", docs[0].Name, d.Name)
		}
	}
	return nil
}

// Outcomes of runs without numbers.
const (
	unread   = "to be read"
	unusable = "not readable"
)

// compare compares the runs measured so far. Numbers that compare runs with each other are unknown until all runs are measured.
func (n *Numbers) compare(docs []*documents.Document) *report.Comparison {
	var out report.Comparison
	var runs []*report.Run
	for _, d := range docs {
		run := *report.RunOf(d.Source.Meta())
		switch r := n.readings[d]; {
		case r.pending():
			run.Outcome = unread
		case r.err != nil:
			run.Outcome = unusable
		default:
			run = *r.result.Value
		}
		runs = append(runs, &run)
		if !slices.Contains(out.Policies, run.Policy) {
			out.Policies = append(out.Policies, run.Policy)
		}
	}
	out.Compare(runs)
	for i := range out.Cells {
		out.Seeds = max(out.Seeds, out.Cells[i].Total)
	}
	if slices.ContainsFunc(docs, n.pending) {
		out.Best = report.Baseline{}
		for i := range out.Cells {
			for _, number := range []report.Number{report.BestSpeedup, report.OwnSpeedup, report.SpeedupEfficiency} {
				out.Cells[i].Numbers[number] = report.Estimate{}
			}
		}
	}
	return &out
}

// rowsOf returns the rows of the table: the name of a quantity, and its values in all cells that have runs. Quantities that no cell knows are
// left out.
func rowsOf(c *report.Comparison) (rows [][]string) {
	headings, lines := c.Table()
	for h, heading := range headings {
		if heading == "±" {
			continue
		}
		row, known := []string{heading}, false
		for i, line := range lines {
			text := strings.TrimSpace(line[h])
			if heading == "policy" {
				text = c.Label(&c.Cells[i])
			}
			known = known || text != "-"
			if h+1 < len(headings) && headings[h+1] == "±" && line[h+1] != "-" {
				text += " ± " + strings.TrimSpace(line[h+1])
			}
			row = append(row, text)
		}
		if known {
			rows = append(rows, row)
		}
	}
	return rows
}

// drawNumbers draws the table at the top of r.
func drawNumbers(c *ui.Context, r ui.Rect, rows [][]string) {
	for _, row := range rows {
		line := r.CutTop(c.Px(24))
		c.Label(line.CutLeft(c.Px(120)), row[0], ui.Type{Color: c.Theme.Muted})
		width := line.W() / float32(max(len(row)-1, 1))
		for _, text := range row[1:] {
			face := scene.Regular
			if row[0] == "policy" || row[0] == "PEs" {
				face = scene.Bold
			}
			c.Label(line.CutLeft(width), text, ui.Type{Face: face})
		}
	}
}
