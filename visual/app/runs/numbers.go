package runs

import (
	"fmt"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/report"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// Numbers is the dialog with the numbers of compared runs: a column for each policy and number of PEs, with the means and confidence intervals
// of runs that differ only in their seeds.
type Numbers struct {
	Open     bool
	measured map[*documents.Document]measured
}

// A measured is a run with the revision of the trace that it was measured from.
type measured struct {
	revision uint64
	run      *report.Run
	err      error
}

// Draw draws the dialog for compared runs. It returns the numbers as CSV if the user wants to copy them. One trace is read in each pass.
func (n *Numbers) Draw(c *ui.Context, all []*documents.Document) (csv string) {
	if !n.Open {
		n.measured = nil
		return ""
	}
	var over []*documents.Document
	for _, d := range all {
		if d.Live == nil || d.Live.Over {
			over = append(over, d)
		}
	}
	ready := n.measure(over)
	if !ready {
		c.Again()
	}
	var compared *report.Comparison
	var rows [][]string
	text, err := "", sameProgram(over)
	if ready && err == nil {
		compared, err = n.compare(over)
	}
	switch {
	case err != nil:
		text = err.Error()
	case compared == nil:
		text = "Reading the traces ..."
	default:
		rows = rowsOf(compared)
		text = strings.Join(compared.Heading()[2:], "\n")
	}
	if on := len(all) - len(over); on > 0 {
		text = strings.TrimSpace(fmt.Sprintf("Left out until the end: %s.\n%s", figures.Counted(int64(on), "run"), text))
	}
	columns := 0
	if len(rows) > 0 {
		columns = len(rows[0]) - 1
	}
	hit := widget.Dialog(c, "numbers", &n.Open, widget.DialogOptions{
		Title: "Numbers of the compared runs", W: max(380, 130+130*float32(columns)), H: 84 + 24*float32(len(rows)),
		Buttons: []string{"Copy as CSV", "Close"},
	}, func(r ui.Rect) {
		drawNumbers(c, r, rows)
		r.Y0 += c.Px(24*float32(len(rows)) + ui.Pad)
		c.Paragraph(r, text, ui.Type{Color: c.Theme.Muted})
	})
	if hit == 1 {
		n.Open = false
	}
	if hit == 0 && compared != nil {
		var b strings.Builder
		if compared.WriteCSV(&b) == nil {
			return b.String()
		}
	}
	return ""
}

// measure reads the next trace that was not read before. It reports whether there is none.
func (n *Numbers) measure(docs []*documents.Document) bool {
	if n.measured == nil {
		n.measured = map[*documents.Document]measured{}
	}
	for _, d := range docs {
		if m, ok := n.measured[d]; ok && m.revision == d.Revision() {
			continue
		}
		run, err := report.MeasureRun(d.Source)
		n.measured[d] = measured{d.Revision(), run, err}
		return false
	}
	return true
}

// sameProgram returns an error unless all runs are of one program with the same arguments.
func sameProgram(docs []*documents.Document) error {
	program := func(d *documents.Document) string {
		m := d.Source.Meta()
		return m.Program + " " + strings.Join(m.Args, " ") + " " + m.Goal
	}
	for _, d := range docs {
		if program(d) != program(docs[0]) {
			return fmt.Errorf("%s and %s are runs of different programs; the view measures has the numbers of each", docs[0].Name, d.Name)
		}
	}
	return nil
}

// compare compares measured runs. Networks, machines and modes in which they differ are named with their policies.
func (n *Numbers) compare(docs []*documents.Document) (*report.Comparison, error) {
	facts := []func(tracer.Meta) string{
		func(m tracer.Meta) string { return m.Network }, func(m tracer.Meta) string { return m.Machine }, func(m tracer.Meta) string { return m.Mode },
	}
	var out report.Comparison
	var runs []*report.Run
	type cell struct {
		policy string
		pes    int
	}
	seeds := map[cell]int{}
	for i, d := range docs {
		m := n.measured[d]
		if m.err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, m.err)
		}
		run := *m.run
		for _, fact := range facts {
			own := fact(d.Source.Meta())
			if own != "" && slices.ContainsFunc(docs, func(e *documents.Document) bool { return fact(e.Source.Meta()) != own }) {
				run.Policy = strings.TrimPrefix(run.Policy+", "+own, ", ")
			}
		}
		if i == 0 {
			out.Seed = run.Seed
		}
		runs = append(runs, &run)
		if !slices.Contains(out.Policies, run.Policy) {
			out.Policies = append(out.Policies, run.Policy)
		}
		if !slices.Contains(out.PEs, run.PEs) {
			out.PEs = append(out.PEs, run.PEs)
		}
		seeds[cell{run.Policy, run.PEs}]++
		out.Seeds = max(out.Seeds, seeds[cell{run.Policy, run.PEs}])
	}
	slices.Sort(out.PEs)
	out.Compare(runs)
	return &out, nil
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
			if c.Cells[i].Total == 0 {
				continue
			}
			text := strings.TrimSpace(line[h])
			if heading == "policy" {
				text = c.Cells[i].Policy
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
