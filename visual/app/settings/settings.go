// Package settings draws the bars above panes that set the parameters of their views.
package settings

import (
	"math"
	"slices"
	"strconv"

	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
)

// Bars are the bars of all panes, which are known by their numbers from 1.
type Bars struct {
	Drawer bool // a bar may take all of its room, since no picture lies below

	open   map[int]bool
	ranges map[string]widget.Range // of the sliders, by pane and parameter
	finds  int                     // the pane whose search field takes the keys next, 0 for none
	opened int                     // the pane whose bar was opened for its search field, 0 for none
}

// New returns bars that are all hidden.
func New() Bars { return Bars{open: map[int]bool{}, ranges: map[string]widget.Range{}} }

// Open reports whether the bar of a pane is shown.
func (b *Bars) Open(pane int) bool { return b.open[pane] }

// Toggle shows or hides the bar of a pane.
func (b *Bars) Toggle(pane int) { b.open[pane] = !b.open[pane] }

// Find shows the bar of a pane with the keys in the search field.
func (b *Bars) Find(pane int) {
	if !b.open[pane] {
		b.opened = pane
	}
	b.open[pane], b.finds = true, pane
}

// A Setting is a parameter with its value.
type Setting struct {
	view.Param
	Value  string // as users write it
	Chosen int    // the choice that is shown for a value that is no choice, -1 for none
	Note   string // beside a search field: the match, or that nothing was found
	Wrong  string // the error of the text of a search field, "" for none
}

// A Change is a change that the user has made in a bar.
type Change struct {
	Set         bool // the parameter has another value
	Name, Value string
	More        bool // the change goes on: one undo takes back all of it
	Found       int  // 1 for the next match (Enter in the search field), -1 for the one before (with Shift), 0 for neither
}

// largestShare is the largest share of a pane that its settings take; more of them scroll.
const largestShare = 0.42

// noteWidth is the width of the note beside a search field, in points.
const noteWidth = 220

// A cell holds the widths of a parameter's label and control.
type cell struct{ label, control float32 }

// A bar is one pass over the bar of a pane.
type bar struct {
	*ui.Context
	bars   *Bars
	pane   int
	held   bool // the pointer holds a widget
	focus  func(ui.ID)
	change Change
}

// Draw draws the settings of a pane in as many rows as they need, cut off the top of r. While the pointer holds a widget, the ranges of
// the sliders stay. Draw moves the focus into the search field. The field keeps it until Escape, which hides a bar that was opened for it.
func (b *Bars) Draw(c *ui.Context, r *ui.Rect, pane int, all []Setting, held bool, focus func(ui.ID)) Change {
	if !b.open[pane] || len(all) == 0 {
		return Change{}
	}
	d := bar{Context: c, bars: b, pane: pane, held: held, focus: focus}
	c.Scope("params")
	defer c.Unscope()
	pad := c.Px(ui.Gap)
	cells := make([]cell, len(all))
	for i := range all {
		cells[i] = cellOf(c, &all[i].Param)
		if all[i].Param.Name == view.Find && all[i].Note != "" {
			cells[i].control += c.Px(noteWidth)
		}
	}
	rows := func(width float32) ([]int, float32) {
		starts := breakRows(c, cells, width-2*pad)
		return starts, float32(len(starts))*(c.Px(c.Theme.Ctl)+c.Px(4)) + c.Px(4)
	}
	starts, height := rows(r.W())
	share := float32(largestShare)
	if b.Drawer {
		share = 1
	}
	most := max(r.H()*share, c.Px(2*c.Theme.Ctl))
	area := r.CutTop(min(height, most))
	c.Fill(area, c.Theme.Surface)
	line := area
	c.Fill(line.CutBottom(c.Hair()), c.Theme.Line)
	draw := func(r ui.Rect) { d.rows(r.Inset(pad, c.Px(4)), all, cells, starts) }
	if height <= most {
		draw(area)
	} else {
		starts, height = rows(r.W() - c.Px(16))
		c.Scroll(area, "rows", height, draw)
	}
	return d.change
}

// cellOf returns the widths of a parameter.
func cellOf(c *ui.Context, q *view.Param) cell {
	size := cell{label: c.TextWidth(q.Label, ui.Type{}) + c.Px(6)}
	switch q.Default.(type) {
	case bool:
		return cell{0, c.Px(36) + c.TextWidth(q.Label, ui.Type{})}
	case string:
		if q.Name == view.Find {
			size.control = c.Px(170)
		}
		for _, s := range q.Choices {
			size.control = max(size.control, c.TextWidth(s, ui.Type{})+c.Px(40))
		}
	default:
		size.control = c.Px(150)
	}
	return size
}

// breakRows breaks cells into rows as a text is broken into lines. It returns the first cell of each row.
func breakRows(c *ui.Context, cells []cell, width float32) (starts []int) {
	gap := c.Px(ui.Pad)
	x := float32(0)
	for i, k := range cells {
		w := k.label + k.control
		if len(starts) == 0 || x+gap+w > width {
			starts, x = append(starts, i), 0
		} else {
			x += gap
		}
		x += w
	}
	return starts
}

// rows draws the settings in rows that begin with the cells in starts.
func (b *bar) rows(area ui.Rect, all []Setting, cells []cell, starts []int) {
	h, gap := b.Px(b.Theme.Ctl), b.Px(ui.Pad)
	for n, from := range starts {
		to := len(all)
		if n+1 < len(starts) {
			to = starts[n+1]
		}
		row := area.CutTop(h)
		area.CutTop(b.Px(4))
		for i := from; i < to; i++ {
			if cells[i].label > 0 {
				label := row.CutLeft(cells[i].label)
				b.Label(label, all[i].Label, ui.Type{Color: b.Theme.Muted})
				b.Tip(label, all[i].Doc)
			}
			b.control(row.CutLeft(cells[i].control), &all[i])
			row.CutLeft(gap)
		}
	}
}

// set notes a change of a setting.
func (b *bar) set(q *Setting, value string, more bool) {
	b.change = Change{Set: true, Name: q.Name, Value: value, More: more}
}

func (b *bar) control(r ui.Rect, q *Setting) {
	switch q.Default.(type) {
	case bool:
		on := q.Value == "true"
		if widget.Toggle(b.Context, r, q.Name, q.Label, &on) {
			b.set(q, strconv.FormatBool(on), false)
		}
		b.Tip(r, q.Doc)
	case string:
		if q.Name == view.Find {
			b.search(r, q)
			return
		}
		i := slices.Index(q.Choices, q.Value)
		if i < 0 {
			i = q.Chosen
		}
		if widget.Dropdown(b.Context, r, q.Name, q.Choices, &i) && i >= 0 {
			b.set(q, q.Choices[i], false)
		}
	default:
		v, _ := strconv.ParseFloat(q.Value, 64)
		if math.IsNaN(v) || math.IsInf(v, 0) { // of a file; a slider would never settle there
			v = 0
		}
		if widget.Slider(b.Context, r.CutLeft(r.W()-b.Px(46)), q.Name, &v, widget.SliderOptions{Range: b.rangeOf(q, v)}) {
			if _, whole := q.Default.(int64); whole {
				b.set(q, strconv.FormatInt(int64(v), 10), true)
			} else {
				b.set(q, strconv.FormatFloat(v, 'g', 4, 64), true)
			}
		}
		r.CutLeft(b.Px(6))
		b.Label(r, q.Value, ui.Type{})
	}
}

// search draws the search field.
func (b *bar) search(r ui.Rect, q *Setting) {
	if b.bars.finds == b.pane {
		b.bars.finds = 0
		b.focus(b.ID(q.Name))
	}
	text, field := q.Value, r
	if q.Note != "" {
		field = r.CutLeft(max(r.W()-b.Px(noteWidth), 0))
		r.CutLeft(b.Px(ui.Gap))
		b.Label(r, q.Note, ui.Type{Color: b.Theme.Muted})
	}
	did := widget.Field(b.Context, field, q.Name, &text, widget.FieldOptions{Hint: "task or name", Icon: icon.Search, Error: q.Wrong})
	if q.Wrong == "" {
		b.Tip(field, q.Doc)
	}
	switch {
	case did.Changed:
		b.set(q, text, true)
	case did.Done:
		b.change.Found = 1
		if e := b.Input(); e != nil && e.Mods&ui.Shift != 0 {
			b.change.Found = -1
		}
	case did.Left:
		b.TakeEvent()
		b.focus(0)
		if b.bars.opened == b.pane {
			b.bars.open[b.pane], b.bars.opened = false, 0
		}
		b.Again()
	}
}

// rangeOf returns the range of a slider. The range depends on the value, so it stays while the pointer holds the slider.
func (b *bar) rangeOf(q *Setting, v float64) widget.Range {
	key := strconv.Itoa(b.pane) + " " + q.Name
	r, ok := b.bars.ranges[key]
	if !ok || !b.held {
		r = sliderRange(&q.Param, v)
		b.bars.ranges[key] = r
	}
	return r
}

// sliderRange returns the range of a slider with a value: all numbers that are allowed, or those near the value if that is many more.
func sliderRange(q *view.Param, v float64) widget.Range {
	lo, hi := q.Min, q.Max
	most := 4 * max(v, number(q.Default))
	if hi == lo || hi-lo > 100*max(most, 1) {
		hi = max(lo+max(most, 10), lo+1)
	} else if hi > 10*max(most, 1) {
		hi = most
	}
	r := widget.Range{Min: lo, Max: max(hi, v)}
	if _, whole := q.Default.(int64); whole {
		r.Step = 1
	}
	return r
}

func number(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return 0
}
