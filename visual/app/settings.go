package app

import (
	"fmt"
	"slices"
	"strconv"

	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// Settings are the bars above panes that set the parameters of their views.
type settings struct {
	*model
	open   map[int]bool        // by pane
	ranges map[string]ui.Range // of the sliders, by pane and parameter
	finds  int                 // the pane whose search field takes the keys next, 0 for none
}

func newSettings(m *model) settings {
	return settings{model: m, open: map[int]bool{}, ranges: map[string]ui.Range{}}
}

// toggle shows or hides the settings of the focused pane.
func (s *settings) toggle() { s.open[s.focus] = !s.open[s.focus] }

// find shows the settings of the focused pane with the keys in the search field.
func (s *settings) find() { s.open[s.focus], s.finds = true, s.focus }

// largestSetting is the largest bound of a slider: larger numbers are ids and times, which are set by other means.
const largestSetting = 1 << 60

// choices returns the values of a parameter that depend on what the pane shows, and the index of the current one; nil for none.
func (p *pane) choices(q view.Param) (values []string, now int) {
	if c, ok := p.result.Value.(view.Chooser); ok {
		return c.Choices(q.Name)
	}
	return nil, -1
}

// settings lists the parameters that a pane's bar offers: all but those of the whole window and those that are set by other means.
func (p *pane) settings() []view.Param {
	var out []view.Param
	for _, q := range p.kind.Params {
		own := q.Name != view.Background.Name && q.Name != view.Palette.Name && q.Name != view.Root
		if choices, _ := p.choices(q); choices != nil {
			q.Choices = choices
		}
		if own && (len(q.Choices) > 0 || q.Type() != "text" || q.Name == view.Find) && q.Max < largestSetting {
			out = append(out, q)
		}
	}
	return out
}

// settingsShare is the largest share of a pane that its settings take; more of them scroll.
const settingsShare = 0.42

// A settingCell holds the widths of a parameter's name and control.
type settingCell struct{ label, control float32 }

// draw draws the settings of a pane in as many rows as they need, cut off the top of r.
func (s *settings) draw(c *ui.Context, r *ui.Rect, p *pane, a *App) {
	params := p.settings()
	if !s.open[p.id] || len(params) == 0 || s.Pane(p.id) == nil {
		return
	}
	c.Scope("params")
	defer c.Unscope()
	pad := c.Px(ui.Gap)
	cells := make([]settingCell, len(params))
	for i, q := range params {
		cells[i] = cellOf(c, q)
	}
	rows := func(width float32) ([]int, float32) {
		starts := breakRows(c, cells, width-2*pad)
		return starts, float32(len(starts))*(c.Px(ui.Ctl)+c.Px(4)) + c.Px(4)
	}
	starts, height := rows(r.W())
	most := max(r.H()*settingsShare, c.Px(2*ui.Ctl))
	bar := r.CutTop(min(height, most))
	c.Fill(bar, c.Theme.Surface)
	line := bar
	c.Fill(line.CutBottom(c.Hair()), c.Theme.Line)
	draw := func(r ui.Rect) { s.drawRows(c, r.Inset(pad, c.Px(4)), p, params, cells, starts, a) }
	if height <= most {
		draw(bar)
		return
	}
	starts, height = rows(r.W() - c.Px(16))
	c.Scroll(bar, "rows", height, draw)
}

// cellOf returns the widths of a parameter.
func cellOf(c *ui.Context, q view.Param) settingCell {
	cell := settingCell{label: c.TextWidth(q.Name, ui.Type{}) + c.Px(6)}
	switch q.Default.(type) {
	case bool:
		return settingCell{0, c.Px(36) + c.TextWidth(q.Name, ui.Type{})}
	case string:
		if q.Name == view.Find {
			cell.control = c.Px(170)
		}
		for _, s := range q.Choices {
			cell.control = max(cell.control, c.TextWidth(s, ui.Type{})+c.Px(40))
		}
	default:
		cell.control = c.Px(150)
	}
	return cell
}

// breakRows breaks cells into rows as a text is broken into lines. It returns the first cell of each row.
func breakRows(c *ui.Context, cells []settingCell, width float32) (starts []int) {
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

func (s *settings) drawRows(c *ui.Context, bar ui.Rect, p *pane, params []view.Param, cells []settingCell, starts []int, a *App) {
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
			s.drawControl(c, row.CutLeft(cells[i].control), p, params[i], a)
			row.CutLeft(gap)
		}
	}
}

// valueOf returns the value of a parameter of a pane, as users write it.
func (s *settings) valueOf(p *pane, q view.Param) string {
	if v, ok := s.Pane(p.id).Params[q.Name]; ok {
		return v
	}
	if v, ok := s.commonValue(p, q); ok {
		return v
	}
	return fmt.Sprint(q.Default)
}

func (s *settings) drawControl(c *ui.Context, r ui.Rect, p *pane, q view.Param, a *App) {
	now := s.valueOf(p, q)
	set := func(value string, more bool) {
		s.act(view.Action{Do: view.SetParam, Pane: s.Index(p.id), Name: q.Name, Value: value, More: more})
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
			s.drawSearch(c, r, p, q, now, set, a)
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
		if c.Slider(r.CutLeft(r.W()-c.Px(46)), q.Name, &v, s.rangeOf(p, q, v, a.pointer.widget)) {
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

// drawSearch draws the search field of a pane. Enter goes to what was found.
func (s *settings) drawSearch(c *ui.Context, r ui.Rect, p *pane, q view.Param, now string, set func(value string, more bool), a *App) {
	if s.finds == p.id {
		s.finds = 0
		a.widgets.Focus(c.ID(q.Name))
	}
	did := c.Field(r, q.Name, &now, ui.FieldLook{Hint: "task or name", Icon: icon.Search})
	c.Tip(r, q.Doc)
	switch {
	case did.Changed:
		set(now, true)
	case did.Done:
		a.widgets.Focus(0)
		s.setFocus(p.id)
		a.send(p, view.Input{Kind: view.Press, Key: "n"}, 0)
	}
}

// rangeOf returns the range of a slider of a pane. The range depends on the value, so it stays while the pointer holds the slider.
func (s *settings) rangeOf(p *pane, q view.Param, v float64, held bool) ui.Range {
	key := strconv.Itoa(p.id) + " " + q.Name
	g, ok := s.ranges[key]
	if !ok || !held {
		g = sliderRange(q, v)
		s.ranges[key] = g
	}
	return g
}

// sliderRange returns the range of a slider with a value: all numbers that are allowed, or those near the value if that is many more.
func sliderRange(q view.Param, v float64) ui.Range {
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
