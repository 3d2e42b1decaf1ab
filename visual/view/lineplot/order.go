package lineplot

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"whorl/tracer/derive/lineprofile"
	"whorl/visual/view"
)

// What the columns can be sorted by.
const (
	byNumber = "number"
	byTicks  = "ticks"
	byLine   = "line"
)

// The parameters of the order of columns, which all views of a trace have alike.
var (
	SortBy = view.Param{
		Name: "sort", Doc: "the order of the columns: by number, those with most ticks first, or those with most at the line that sortline names",
		Default: byNumber, Choices: []string{byNumber, byTicks, byLine}, Common: true,
	}
	SortLine = view.Param{Name: "sortline", Doc: "the line by whose ticks columns are sorted, as FILE:LINE or LINE; empty is the hottest", Default: "", Common: true}
	First    = view.Param{
		Name: "order", Doc: "PEs that stand first, as numbers and ranges (3,0-2), which dragging a heading writes; the others follow as they are sorted",
		Default: "", Common: true,
	}
)

// OrderParams are the names of the parameters of the order, for stages that make one.
var OrderParams = []string{SortBy.Name, SortLine.Name, First.Name}

// An Order is PEs from left to right.
type Order struct {
	PEs []int32
	By  string // what the parameter says
	at  []int32

	sorted func(window *view.Span) *Order // nil where it is the same in all windows

	mu     sync.Mutex
	last   *Order // that of the window that was asked for last
	window *view.Span
}

// In is the order in a window of time, of the whole run where that is nil. It follows the window alone, and not the moment up to which a frame counts:
// columns stay where they are while a run is played.
func (o *Order) In(window *view.Span) *Order {
	if window == nil || o.sorted == nil {
		return o
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.last == nil || !window.Same(o.window) {
		w := *window
		o.last, o.window = o.sorted(&w), &w
	}
	return o.last
}

// At is the place of a PE.
func (o *Order) At(pe int32) int { return int(o.at[pe]) }

// Order puts PEs in the order that the parameters ask for: those that stand first, then the others as they are sorted.
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
			in, _ := p.order(by, first, row, window) // what may be wrong with the parameters was wrong before
			return in
		}
	}
	return o, err
}

// order sorts PEs by what they have in a window, by line that of a row.
func (p *Plot) order(by, first string, row int, window *view.Span) (*Order, error) {
	o := &Order{By: by, at: slices.Repeat([]int32{-1}, p.Profile.PEs)}
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

// sortLine is the row of a line as users write it: FILE:LINE, or LINE of the first file; the hottest where it is empty.
func (p *Plot) sortLine(s string) (row int, err error) {
	if s == "" {
		return p.hottest(), nil
	}
	file, number := "", s
	if k := strings.LastIndexByte(s, ':'); k >= 0 {
		file, number = s[:k], s[k+1:]
	} else if len(p.Profile.Files) > 0 {
		file = p.Profile.Files[0].Name
	}
	n, err := strconv.ParseInt(number, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%s %q: want FILE:LINE or LINE", SortLine.Name, s)
	}
	row, _, ok := p.Column.Of(view.Lines{File: file, First: int32(n)})
	if !ok {
		return 0, fmt.Errorf("%s %q: there is no such line in the trace", SortLine.Name, s)
	}
	return row, nil
}

// Resort are the actions that go on to the next order of columns: by number, by ticks, by those of the line that is selected, or of the
// hottest. What was moved by hand is sorted, too.
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
	at := ""
	as[0].More = true
	if f.State != nil {
		if lit := p.Lit(f.Trace, f.State.Shared.Selection); lit != nil && len(lit.Rows) > 0 {
			at = p.Place(p.Column.Line(p.hottestIn(lit.Rows)))
		}
	}
	return append([]view.Action{set(SortLine, at)}, as...)
}

func (o *Order) put(pe int32) {
	if o.at[pe] < 0 {
		o.at[pe] = int32(len(o.PEs))
		o.PEs = append(o.PEs, pe)
	}
}

// parseOrder reads PEs and ranges of them; those that there are not are left out.
func parseOrder(s string, pes int, put func(pe int32)) error {
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ',' || r == ' ' }) {
		a, b, ranged := strings.Cut(part, "-")
		from, err := strconv.ParseUint(a, 10, 31)
		to := from
		if err == nil && ranged {
			to, err = strconv.ParseUint(b, 10, 31)
		}
		if err != nil {
			return fmt.Errorf("%s %q: %q is no PE and no range of PEs; want numbers as in 3,0-2", First.Name, s, part)
		}
		pe, last, step := min(int(from), pes), min(int(to), pes), 1
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

// WriteOrder writes PEs as the parameter of the order has them.
func WriteOrder(pes []int32) string {
	var b strings.Builder
	for i := 0; i < len(pes); {
		k := i + 1
		for k < len(pes) && pes[k] == pes[k-1]+1 {
			k++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(int(pes[i])))
		if k > i+1 {
			b.WriteString("-" + strconv.Itoa(int(pes[k-1])))
		}
		i = k
	}
	return b.String()
}
