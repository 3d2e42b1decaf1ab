package app

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// A Description says in words what the window shows, for assistive technology.
type Description struct {
	Lines []string          `json:"lines"` // the texts of bars, panels and menus, from the top
	Panes []PaneDescription `json:"panes"`
}

// A PaneDescription says in words what the picture of a pane shows.
type PaneDescription struct {
	Title    string           `json:"title"`
	Subtitle string           `json:"subtitle"`
	Warning  string           `json:"warning"`
	Tables   []DescribedTable `json:"tables"`
	Notes    []string         `json:"notes"`
}

// A DescribedTable is a table of texts. Without Columns it has no head.
type DescribedTable struct {
	Caption string     `json:"caption"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// describe describes the visible panes and the texts around them.
func (a *App) describe() *Description {
	d := &Description{Lines: append(textLines(&a.chrome), textLines(&a.popups)...)}
	for _, p := range a.model.visible() {
		d.Panes = append(d.Panes, a.describePane(p))
	}
	return d
}

func (a *App) describePane(p *pane) PaneDescription {
	out := PaneDescription{Title: p.kind.Title + " of " + p.trace}
	switch {
	case p.err != nil:
		out.Warning = p.err.Error()
		return out
	case p.result.Value == nil:
		out.Notes = []string{"The picture is being computed."}
		return out
	}
	f := a.cameras.frame(p)
	l := p.result.Value.Legend(f)
	if l.Title != "" {
		out.Title = l.Title + ": " + out.Title
	}
	out.Subtitle, out.Warning = l.Subtitle, l.Warning
	for i := range l.Blocks {
		out.addBlock(&l.Blocks[i])
	}
	if t := things(p.result.Value, f); len(t.Rows) > 0 {
		out.Tables = append(out.Tables, t)
	}
	if p.base.list != nil {
		if lines := textLines(p.base.list); len(lines) > 0 {
			t := DescribedTable{Caption: "Texts in the picture, from the top"}
			for _, line := range lines {
				t.Rows = append(t.Rows, []string{line})
			}
			out.Tables = append(out.Tables, t)
		}
	}
	return out
}

// addBlock adds a block of the legend: a table of its labels with their values, and its sentences.
func (d *PaneDescription) addBlock(b *view.Block) {
	t := DescribedTable{Caption: b.Title}
	if len(b.Columns) > 0 {
		t.Columns = append([]string{"Name"}, b.Columns...)
	}
	for _, s := range b.Swatches {
		t.Rows = append(t.Rows, append([]string{s.Label}, s.Values...))
	}
	if r := b.Ramp; r != nil && len(r.Ticks) > 0 {
		t.Rows = append(t.Rows, []string{"scale of colours", strings.Join(r.Ticks, ", ")})
	}
	for _, f := range b.Facts {
		t.Rows = append(t.Rows, []string{f.Label, f.Value})
	}
	if len(t.Rows) > 0 {
		d.Tables = append(d.Tables, t)
	}
	if b.ValuesNote != "" {
		d.Notes = append(d.Notes, b.ValuesNote)
	}
	d.Notes = append(d.Notes, b.Notes...)
}

// The things of a picture are those under the points of a grid.
const (
	thingColumns = 40
	thingRows    = 30
	mostThings   = 200
)

// things lists the things of a picture with the facts that their tips have.
func things(p view.Picture, f *view.Frame) DescribedTable {
	t := DescribedTable{Caption: "Things in the picture", Columns: []string{"Name", "Facts"}}
	seen := map[string]bool{}
	for row := range thingRows {
		for column := range thingColumns {
			x := f.Area.X0 + f.Area.W()*(float64(column)+0.5)/thingColumns
			y := f.Area.Y0 + f.Area.H()*(float64(row)+0.5)/thingRows
			tip, ok := view.TipAt(p, f, x, y)
			if !ok || len(tip.Lines) == 0 {
				continue
			}
			facts := strings.Join(tip.Lines[1:], "; ")
			if key := tip.Lines[0] + "\n" + facts; seen[key] {
				continue
			} else if len(seen) == mostThings {
				t.Caption += ": the first " + strconv.Itoa(mostThings) + "; zoom in to see others"
				return t
			} else {
				seen[key] = true
			}
			t.Rows = append(t.Rows, []string{tip.Lines[0], facts})
		}
	}
	return t
}

// mostLines is the largest number of lines of text of a list.
const mostLines = 400

// textLines returns the texts of a list from the top. Texts beside each other are one line.
func textLines(l *scene.List) []string {
	type word struct {
		x, y, size float32
		text       string
	}
	var words []word
	for i := range l.Len() {
		o := l.Op(i)
		if o.Kind != scene.OpText {
			continue
		}
		x, y, s, style := o.Text()
		if text := strings.TrimSpace(string(s)); text != "" && style.Color.A > 0 {
			words = append(words, word{x, y, style.Size, text})
		}
	}
	slices.SortStableFunc(words, func(a, b word) int { return cmp.Compare(a.y, b.y) })
	var lines []string
	for len(words) > 0 && len(lines) < mostLines {
		n := 1
		for n < len(words) && words[n].y-words[0].y < words[0].size/2 {
			n++
		}
		row := words[:n]
		slices.SortStableFunc(row, func(a, b word) int { return cmp.Compare(a.x, b.x) })
		texts := make([]string, n)
		for i := range row {
			texts[i] = row[i].text
		}
		lines, words = append(lines, strings.Join(texts, " · ")), words[n:]
	}
	return lines
}
