package lineplot

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/ranges"
	"whorl/tracer"
	"whorl/tracer/derive/lineprofile"
	"whorl/visual/view"
)

// Keys by which columns are sorted.
const (
	byNumber = "number"
	byTicks  = "ticks"
	byLine   = "line"
)

// The parameters of the order of columns. All views of a trace share their values.
var (
	SortBy = view.Param{
		Name: "sort", Label: "Sort columns by", Doc: "order of the columns: by number, by ticks (most first), or by ticks at the line named by sortline (most first)",
		Default: byNumber, Choices: []string{byNumber, byTicks, byLine}, Common: true,
	}
	SortLine = view.Param{Name: "sortline", Label: "Sort by line", Doc: "line whose ticks sort the columns, as FILE:LINE or LINE; empty means the hottest line", Default: "", Common: true}
	First    = view.Param{
		Name: "order", Label: "First columns", Doc: "PEs that come first, as numbers and ranges (3,0-2); the others follow in sorted order. Dragging a heading sets it",
		Default: "", Common: true,
	}
)

// Params returns the parameters of a view of lines by processors: the quantity, those of the view's own, and the columns with their order.
func Params(own ...view.Param) []view.Param {
	return slices.Concat([]view.Param{Metric, Inclusive}, own, []view.Param{Processors, SortBy, SortLine, First})
}

// OrderParams lists the names of the parameters of the order, for stages that call Plot.Order.
var OrderParams = []string{SortBy.Name, SortLine.Name, First.Name}

// An Order lists PEs from left to right.
type Order struct {
	PEs []int32
	By  string // value of SortBy

	processes []tracer.PE // by PE, of a profile; nil for a run
	run       *view.Run

	place []int32 // index in PEs, by PE; -1 until put

	sorted func(window *view.Span) *Order // nil if the order is the same in all windows
	last   view.Memo[*view.Span, *Order]  // by window
}

// In returns the order in a window of time; nil means the whole run. The moment up to which a frame counts does not change the order,
// so columns stay in place during playback.
func (o *Order) In(window *view.Span) *Order {
	if window == nil || o.sorted == nil {
		return o
	}
	w := *window
	return o.last.Get(&w, (*view.Span).Same, func() *Order { return o.sorted(&w) })
}

// Place returns the index of a PE in o.PEs.
func (o *Order) Place(pe int32) int { return int(o.place[pe]) }

// Order returns the PEs in the order given by the parameters: those named by First, then the others sorted by SortBy.
func (p *Plot) Order(params interface{ Text(string) string }) (*Order, error) {
	by, first, row := params.Text(SortBy.Name), params.Text(First.Name), -1
	if by == byLine {
		var err error
		if row, err = p.sortLine(params.Text(SortLine.Name)); err != nil {
			return nil, err
		}
	}
	o, err := p.order(by, first, row, nil)
	if err == nil && by != byNumber {
		o.sorted = func(window *view.Span) *Order {
			in, _ := p.order(by, first, row, window) // first parsed above
			return in
		}
	}
	return o, err
}

// order sorts PEs by their counts in a window. If by is byLine, it uses the counts of one row of the column.
func (p *Plot) order(by, first string, row int, window *view.Span) (*Order, error) {
	o := &Order{By: by, processes: p.Run.Processes(), run: p.Run, place: slices.Repeat([]int32{-1}, p.Profile.PEs)}
	if err := parseOrder(first, p.Profile.PEs, o.put); err != nil {
		return nil, err
	}
	rest := make([]int32, p.Profile.PEs)
	for pe := range rest {
		rest[pe] = int32(pe)
	}
	total := make([]int64, len(rest))
	add := func(t *lineprofile.Table, i int) {
		on, counts := t.Cells(i)
		for k, pe := range on {
			total[pe] += counts[k]
		}
	}
	switch lines := p.In(window).Lines; by {
	case byTicks:
		for i := range lines.Rows {
			add(lines, i)
		}
	case byLine:
		if from, end := p.Range(lines, row, row+1); from < end {
			add(lines, from)
		}
	}
	slices.SortStableFunc(rest, func(a, b int32) int { return cmp.Compare(total[b], total[a]) })
	for _, pe := range rest {
		o.put(pe)
	}
	return o, nil
}

// sortLine returns the row of a line written as FILE:LINE, or as LINE of the first file. Empty means the hottest row.
func (p *Plot) sortLine(s string) (row int, err error) {
	if s == "" {
		row, _ = p.Hottest(p.All().Lines)
		return row, nil
	}
	file, number := "", s
	if k := strings.LastIndexByte(s, ':'); k >= 0 {
		file, number = s[:k], s[k+1:]
	} else if len(p.Profile.Files) > 0 {
		file = p.Profile.Files[0].Name
	}
	n, err := strconv.ParseInt(number, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%s %q: expected FILE:LINE or LINE", SortLine.Name, s)
	}
	row, _, ok := p.Column.RowsOf(view.Lines{File: file, First: int32(n)})
	if !ok {
		return 0, fmt.Errorf("%s %q: the trace has no such line", SortLine.Name, s)
	}
	return row, nil
}

// Resort returns the actions that switch to the next order of columns: by number, by ticks, by ticks at the selected or else the hottest line.
// It discards an order set by hand.
func (p *Plot) Resort(f *view.Frame, o *Order, pane int) []view.Action {
	set := func(q view.Param, value string) view.Action {
		return view.Action{Do: view.SetParam, Pane: pane, Name: q.Name, Value: value}
	}
	next := map[string]string{byNumber: byTicks, byTicks: byLine}[o.By]
	if next == "" {
		next = byNumber
	}
	as := []view.Action{set(SortBy, next), set(First, "")}
	as[1].More = true // one undo takes back all
	if next != byLine {
		return as
	}
	line := ""
	as[0].More = true
	if lit := p.Highlight(f.Trace, f.Selected()); lit != nil && len(lit.Rows) > 0 {
		row, _ := p.Hottest(p.All().Lines, lit.Rows...)
		line = p.Place(p.Column.Line(row))
	}
	return append([]view.Action{set(SortLine, line)}, as...)
}

// put appends pe unless the order has it already.
func (o *Order) put(pe int32) {
	if o.place[pe] < 0 {
		o.place[pe] = int32(len(o.PEs))
		o.PEs = append(o.PEs, pe)
	}
}

// parseOrder passes the PEs and ranges of PEs in s to put, without those that are not below pes.
func parseOrder(s string, pes int, put func(pe int32)) error {
	list, err := ranges.Parse(s)
	if err != nil {
		return fmt.Errorf("%s %w", First.Name, err)
	}
	for _, r := range list {
		pe, last, step := min(int(r.First), pes), min(int(r.Last), pes), 1
		if last < pe {
			step = -1
		}
		for ; pe != last+step; pe += step {
			if pe < pes {
				put(int32(pe))
			}
		}
	}
	return nil
}
