package app

import (
	"fmt"
	"slices"
	"strconv"

	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// paramShare is how much of a pane its settings take at most; more of them scroll.
const paramShare = 0.42

// paramBar shows the settings of a pane in as many rows as they need, cut off the top of r.
func (a *App) paramBar(c *ui.Context, r *ui.Rect, p *pane) {
	params := a.shownParams(p)
	if len(params) == 0 || a.Pane(p.id) == nil {
		return
	}
	c.Scope("params")
	defer c.Unscope()
	gap, pad := c.Px(ui.Pad), c.Px(ui.Gap)
	cells := make([]paramCell, len(params))
	for i, q := range params {
		cells[i].label = c.TextWidth(q.Name, ui.Type{}) + c.Px(6)
		switch q.Default.(type) {
		case bool:
			cells[i] = paramCell{0, c.Px(36) + c.TextWidth(q.Name, ui.Type{})}
		case string:
			if q.Name == view.Find {
				cells[i].control = c.Px(170)
			}
			for _, s := range q.Choices {
				cells[i].control = max(cells[i].control, c.TextWidth(s, ui.Type{})+c.Px(40))
			}
		default:
			cells[i].control = c.Px(150)
		}
	}
	// Rows as a text is broken into lines.
	var starts []int
	broken := func(width float32) (height float32) {
		starts = starts[:0]
		x := float32(0)
		for i, k := range cells {
			w := k.label + k.control
			if len(starts) == 0 || x+gap+w > width-2*pad {
				starts, x = append(starts, i), 0
			} else {
				x += gap
			}
			x += w
		}
		return float32(len(starts))*(c.Px(ui.Ctl)+c.Px(4)) + c.Px(4)
	}
	height, most := broken(r.W()), max(r.H()*paramShare, c.Px(2*ui.Ctl))
	bar := r.CutTop(min(height, most))
	c.Fill(bar, c.Theme.Surface)
	line := bar
	c.Fill(line.CutBottom(c.Hair()), c.Theme.Line)
	if height <= most {
		a.paramRows(c, bar.Inset(pad, c.Px(4)), p, params, cells, starts)
		return
	}
	c.Scroll(bar, "rows", broken(r.W()-c.Px(16)), func(r ui.Rect) { a.paramRows(c, r.Inset(pad, c.Px(4)), p, params, cells, starts) })
}

// A paramCell is the widths of a setting's name and of its control.
type paramCell struct{ label, control float32 }

// paramRows draws settings in rows that begin with some of them.
func (a *App) paramRows(c *ui.Context, bar ui.Rect, p *pane, params []view.Param, cells []paramCell, starts []int) {
	h, gap := c.Px(ui.Ctl), c.Px(ui.Pad)
	for n, from := range starts {
		to := len(params)
		if n+1 < len(starts) {
			to = starts[n+1]
		}
		row := bar.CutTop(h)
		bar.CutTop(c.Px(4))
		for i := from; i < to; i++ {
			if cells[i].label > 0 {
				label := row.CutLeft(cells[i].label)
				c.Label(label, params[i].Name, ui.Type{Color: c.Theme.Muted})
				c.Tip(label, params[i].Doc)
			}
			a.paramControl(c, row.CutLeft(cells[i].control), p, params[i])
			row.CutLeft(gap)
		}
	}
}

// valueOf is what a parameter of a pane has now, as users write it.
func (a *App) valueOf(p *pane, q view.Param) string {
	if s, ok := a.Pane(p.id).Params[q.Name]; ok {
		return s
	}
	if s, ok := a.common(p, q); ok {
		return s
	}
	return fmt.Sprint(q.Default)
}

func (a *App) paramControl(c *ui.Context, r ui.Rect, p *pane, q view.Param) {
	now := a.valueOf(p, q)
	set := func(value string, more bool) {
		a.act(view.Action{Do: view.SetParam, Pane: a.Index(p.id), Name: q.Name, Value: value, More: more})
	}
	switch q.Default.(type) {
	case bool:
		on := now == "true"
		if c.Toggle(r, q.Name, q.Name, &on) {
			set(strconv.FormatBool(on), false)
		}
		c.Tip(r, q.Doc)
	case string:
		if q.Name == view.Find {
			a.findField(c, r, p, q, now, set)
			return
		}
		i := slices.Index(q.Choices, now)
		if i < 0 {
			_, i = p.choices(q)
		}
		if c.Dropdown(r, q.Name, q.Choices, &i) && i >= 0 {
			set(q.Choices[i], false)
		}
	default:
		v, _ := strconv.ParseFloat(now, 64)
		g := a.rangeHeld(p, q, v)
		if c.Slider(r.CutLeft(r.W()-c.Px(46)), q.Name, &v, g) {
			if _, whole := q.Default.(int64); whole {
				set(strconv.FormatInt(int64(v), 10), true)
			} else {
				set(strconv.FormatFloat(v, 'g', 4, 64), true)
			}
		}
		r.CutLeft(c.Px(6))
		c.Label(r, now, ui.Type{})
	}
}

// findField takes what is to be found in a pane; Enter goes to what was found.
func (a *App) findField(c *ui.Context, r ui.Rect, p *pane, q view.Param, now string, set func(value string, more bool)) {
	if a.finding == p.id {
		a.finding = 0
		a.widgets.Focus(c.ID(q.Name))
	}
	did := c.Field(r, q.Name, &now, ui.FieldLook{Hint: "task or name", Icon: icon.Search})
	c.Tip(r, q.Doc)
	switch {
	case did.Changed:
		set(now, true)
	case did.Done:
		a.widgets.Focus(0)
		a.setFocus(p.id)
		a.tell(p, view.Input{Kind: view.Press, Key: "n"}, 0)
	}
}

// rangeHeld is what a slider for a number of a pane offers. While the pointer holds it that stays as it was, for it depends on the value.
func (a *App) rangeHeld(p *pane, q view.Param, v float64) ui.Range {
	key := strconv.Itoa(p.id) + " " + q.Name
	g, ok := a.ranges[key]
	if !ok || !a.pointer.widget {
		g = a.rangeOf(q, v)
		a.ranges[key] = g
	}
	return g
}

// rangeOf is what a slider for a number offers: all that is allowed, or where that is much the part around what it has.
func (a *App) rangeOf(q view.Param, v float64) ui.Range {
	lo, hi := q.Min, q.Max
	most := 4 * max(v, number(q.Default))
	if hi == lo || hi-lo > 100*max(most, 1) {
		hi = max(lo+max(most, 10), lo+1)
	} else if hi > 10*max(most, 1) {
		hi = most
	}
	g := ui.Range{Min: lo, Max: max(hi, v)}
	if _, whole := q.Default.(int64); whole {
		g.Step = 1
	}
	return g
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
