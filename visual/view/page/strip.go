package page

import (
	"strings"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A strip is a legend of a few lines below a picture, for panes too narrow for a legend beside it. It explains the colours
// and has no numbers. It leaves out the less important items that do not fit, and says how many.

const (
	stripText = 0.92 // font size of the strip, as a share of Style.Font
	stripLine = 1.55 // height of a line, as a share of Style.Font
)

// A stripItem is a piece that is never broken across lines.
type stripItem struct {
	label   string
	colors  []scene.Color // before the label, none for a heading
	sign    *view.Sign
	ramp    *view.Ramp // replaces the label
	heading bool
	warning bool
	width   float32
	counts  bool // counted in the "more" note when left out
}

type strip struct {
	style view.Style
	text  scene.Measurer
	size  float32
	rows  [][]stripItem
	more  int // items without room
}

// StripHeight returns the height in pixels of a strip of at most lines lines below a picture of a width. It is 0 for a
// legend with nothing to show.
func StripHeight(l view.Legend, width float64, lines int, s view.Style, text scene.Measurer) float64 {
	p := newStrip(l, float32(width), lines, s, text)
	if len(p.rows) == 0 {
		return 0
	}
	return float64(scene.Round(s.Font*(stripLine*float32(len(p.rows))+0.5)) + 1)
}

// DrawStrip draws a strip under a hairline, in a rectangle of the height that StripHeight returns.
func DrawStrip(l view.Legend, r scene.Rect, lines int, s view.Style, text scene.Measurer, out *scene.List) {
	p := newStrip(l, float32(r.W()), lines, s, text)
	if len(p.rows) == 0 {
		return
	}
	out.Rect(float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y0)+1, s.Line)
	y := float32(r.Y0) + 1 + scene.Round(0.25*s.Font)
	for i, row := range p.rows {
		x := float32(r.X0) + p.margin()
		for _, it := range row {
			p.item(out, x, y, it)
			x += it.width + p.gap()
		}
		if i == len(p.rows)-1 && p.more > 0 {
			out.Text(x, y+p.base(), p.rest(), scene.TextStyle{Size: p.size, Color: s.Muted})
		}
		y += scene.Round(s.Font * stripLine)
	}
}

func (p *strip) margin() float32 { return scene.Round(0.6 * p.style.Font) }
func (p *strip) gap() float32    { return scene.Round(0.9 * p.style.Font) }
func (p *strip) base() float32   { return scene.Round(1.12 * p.style.Font) }
func (p *strip) swatch() float32 { return scene.Round(1.1 * p.style.Font) }
func (p *strip) ramp() float32   { return scene.Round(7 * p.style.Font) }
func (p *strip) rest() string    { return "and " + figures.Count(int64(p.more)) + " more" }

// space returns the distance between a swatch and its label.
func (p *strip) space() float32 { return scene.Round(0.4 * p.style.Font) }

func (p *strip) width(s string, face scene.Face) float32 { return p.text.Width(s, p.size, face) }

// newStrip breaks a legend into at most lines lines of a width.
func newStrip(l view.Legend, width float32, lines int, s view.Style, text scene.Measurer) *strip {
	p := &strip{style: s, text: text, size: stripText * s.Font}
	width -= 2 * p.margin()
	items := p.items(l)
	var row []stripItem
	left := float32(0) // end of the last item of the row
	for i := 0; i < len(items); i++ {
		need := items[i].width
		if items[i].heading && i+1 < len(items) { // keep a heading with its first item
			need += p.gap() + items[i+1].width
		}
		if len(row) == 0 || need > left {
			if len(row) > 0 {
				p.rows = append(p.rows, row)
			}
			if len(p.rows) == lines || need > width {
				p.cut(items[i:], width)
				return p
			}
			row, left = nil, width
		}
		row = append(row, items[i])
		left -= items[i].width + p.gap()
	}
	if len(row) > 0 {
		p.rows = append(p.rows, row)
	}
	return p
}

// cut leaves out items, and removes earlier items until the "more" note fits.
func (p *strip) cut(items []stripItem, width float32) {
	for _, it := range items {
		if it.counts {
			p.more++
		}
	}
	for p.more > 0 && len(p.rows) > 0 {
		last := &p.rows[len(p.rows)-1]
		for len(*last) > 0 {
			used := p.width(p.rest(), scene.Regular)
			for _, it := range *last {
				used += it.width + p.gap()
			}
			end := (*last)[len(*last)-1]
			if used <= width && !end.heading {
				return
			}
			if end.counts {
				p.more++
			}
			*last = (*last)[:len(*last)-1]
		}
		p.rows = p.rows[:len(p.rows)-1]
	}
}

func (p *strip) items(l view.Legend) []stripItem {
	var items []stripItem
	if warning, _, _ := strings.Cut(l.Warning, ":"); warning != "" {
		items = append(items, stripItem{label: warning, warning: true, width: p.width(warning, scene.Bold)})
	}
	for _, b := range l.Blocks {
		if b.Ramp == nil && len(b.Swatches) == 0 {
			continue
		}
		if b.Title != "" {
			items = append(items, stripItem{label: b.Title, heading: true, width: p.width(b.Title, scene.Bold)})
		}
		if r := b.Ramp; r != nil && len(r.Colors) > 0 {
			w := p.ramp()
			if n := len(r.Ticks); n > 0 {
				w += 2*p.space() + p.width(r.Ticks[0], scene.Regular) + p.width(r.Ticks[n-1], scene.Regular)
			}
			items = append(items, stripItem{ramp: r, width: w})
		}
		for _, s := range b.Swatches {
			items = append(items, stripItem{
				label: s.Label, colors: s.Colors, sign: s.Sign, counts: true, width: p.swatch() + p.space() + p.width(s.Label, scene.Regular),
			})
		}
	}
	return items
}

func (p *strip) item(out *scene.List, x, y float32, it stripItem) {
	ink := scene.TextStyle{Size: p.size, Color: p.style.Ink}
	muted := scene.TextStyle{Size: p.size, Color: p.style.Muted}
	top, bottom := y+scene.Round(0.3*p.style.Font), y+scene.Round(1.2*p.style.Font)
	draw := &page{style: p.style}
	switch {
	case it.heading, it.warning:
		muted.Face = scene.Bold
		if it.warning {
			muted.Color = p.style.Warn
		}
		out.Text(x, y+p.base(), it.label, muted)
	case it.ramp != nil:
		if n := len(it.ramp.Ticks); n > 0 {
			out.Text(x, y+p.base(), it.ramp.Ticks[0], muted)
			x += p.width(it.ramp.Ticks[0], scene.Regular) + p.space()
			out.Text(x+p.ramp()+p.space(), y+p.base(), it.ramp.Ticks[n-1], muted)
		}
		draw.gradient(out, x, top, x+p.ramp(), bottom, it.ramp.Colors, true)
	default:
		draw.swatch(out, x, top, x+p.swatch(), bottom, it.colors, it.sign)
		out.Text(x+p.swatch()+p.space(), y+p.base(), it.label, ink)
	}
}
