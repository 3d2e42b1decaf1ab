// Package describe says in words what the window shows, for assistive technology.
package describe

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"whorl/visual/app/painter"
	"whorl/visual/app/panes"
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

// A Describer describes the window. It looks for the things of the pictures in several steps, so that no frame waits for it, and keeps those of
// pictures that stay.
type Describer struct {
	model   *panes.Model
	cameras *panes.Cameras
	painter *painter.Painter
	Most    time.Duration // spent on the things of a picture; those found until then are described
	Wanted  bool
	found   []paneThings // of the visible panes
}

// New returns a describer of the pictures of a painter.
func New(m *panes.Model, cs *panes.Cameras, g *painter.Painter) *Describer {
	return &Describer{model: m, cameras: cs, painter: g, Most: mostDescribe}
}

// paneThings are the things in the picture of a pane, as far as they have been found.
type paneThings struct {
	pane     *panes.Pane
	revision uint64 // of the pane's base
	points   int    // of the grid that were looked at
	spent    time.Duration
	seen     map[string]bool
	order    []int // the points of the rows of the table
	table    DescribedTable
}

// Times of a description.
const (
	DescribeTime = 4 * time.Millisecond // a step works on a description for about this long
	mostDescribe = time.Second          // all steps together look for the things of a picture for about this long
)

// revision returns that of the picture of a pane.
func (d *Describer) revision(p *panes.Pane) uint64 {
	base, _ := d.painter.Layers(p)
	return base.Revision
}

// Begin begins a description, or continues the one that is being made.
func (d *Describer) Begin() {
	d.Wanted = true
	var found []paneThings
	for _, p := range d.model.Visible() {
		i := slices.IndexFunc(d.found, func(t paneThings) bool { return t.pane == p && t.revision == d.revision(p) })
		if i >= 0 {
			found = append(found, d.found[i])
			continue
		}
		table := DescribedTable{Caption: "Things in the picture", Columns: []string{"Name", "Facts"}}
		found = append(found, paneThings{pane: p, revision: d.revision(p), seen: map[string]bool{}, table: table})
	}
	d.found = found
}

// Work continues the description for about the time of a budget. It reports whether the description is complete. A description of pictures
// that have changed ends without a result.
func (d *Describer) Work(budget time.Duration) (done bool) {
	current := slices.EqualFunc(d.model.Visible(), d.found, func(p *panes.Pane, t paneThings) bool { return t.pane == p && t.revision == d.revision(p) })
	if d.Wanted = d.Wanted && current; !d.Wanted {
		return false
	}
	begun := time.Now()
	for i := range d.found {
		t := &d.found[i]
		_, whole := t.pane.Picture().(view.Tabular)
		frame := d.cameras.Frame(t.pane)
		for !whole && t.pane.Err == nil && t.pane.Picture() != nil && t.points < thingColumns*thingRows {
			from := time.Now()
			t.look(frame)
			if t.spent += time.Since(from); t.spent >= d.Most {
				t.cut("those found in a second")
			}
			if time.Since(begun) >= budget {
				return false
			}
		}
	}
	d.Wanted = false
	return true
}

// Describe describes the visible panes, whose things the describer has found, and the texts of the lists around them.
func (d *Describer) Describe(around ...*scene.List) *Description {
	out := &Description{}
	for _, l := range around {
		out.Lines = append(out.Lines, textLines(l)...)
	}
	for i := range d.found {
		out.Panes = append(out.Panes, d.pane(&d.found[i]))
	}
	return out
}

// pane describes a pane.
func (d *Describer) pane(t *paneThings) PaneDescription {
	p := t.pane
	out := PaneDescription{Title: p.Kind.Title + " of " + p.Trace}
	switch {
	case p.Err != nil:
		out.Warning = p.Err.Error()
		return out
	case p.Picture() == nil:
		out.Notes = []string{"The picture is being computed."}
		return out
	}
	l := p.Kind.Explain(p.Picture(), d.cameras.Frame(p))
	if l.Title != "" {
		out.Title = l.Title + ": " + out.Title
	}
	out.Subtitle, out.Warning = l.Subtitle, l.Warning
	for i := range l.Blocks {
		out.addBlock(&l.Blocks[i])
	}
	if table, ok := p.Picture().(view.Tabular); ok {
		title, columns, rows := table.Table()
		out.Tables = append(out.Tables, DescribedTable{Caption: title, Columns: columns, Rows: rows})
		return out
	}
	if len(t.table.Rows) > 0 {
		out.Tables = append(out.Tables, t.table)
	}
	if base, _ := d.painter.Layers(p); base.List != nil {
		if lines := textLines(base.List); len(lines) > 0 {
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

// stride is the distance of a point of the grid from the one that was looked at before, so that the points looked at are everywhere in the picture. It
// has no factor in common with the number of points.
const stride = 463

// look adds the thing under another point of the grid, with the facts that its tip has.
func (t *paneThings) look(f *view.Frame) {
	point := t.points * stride % (thingColumns * thingRows)
	column, row := point%thingColumns, point/thingColumns
	t.points++
	x := f.Area.X0 + f.Area.W()*(float64(column)+0.5)/thingColumns
	y := f.Area.Y0 + f.Area.H()*(float64(row)+0.5)/thingRows
	tip, ok := view.TipAt(t.pane.Picture(), f, x, y)
	if !ok || len(tip.Lines) == 0 {
		return
	}
	facts := strings.Join(tip.Lines[1:], "; ")
	key := tip.Lines[0] + "\n" + facts
	switch {
	case t.seen[key]:
	case len(t.seen) == mostThings:
		t.cut(strconv.Itoa(mostThings) + " of them")
	default:
		t.seen[key] = true
		i, _ := slices.BinarySearch(t.order, point)
		t.order = slices.Insert(t.order, i, point)
		t.table.Rows = slices.Insert(t.table.Rows, i, []string{tip.Lines[0], facts})
	}
}

// cut ends the search for things. which says what the table has of them.
func (t *paneThings) cut(which string) {
	if t.points < thingColumns*thingRows {
		t.table.Caption += ": " + which + "; zoom in to see others"
		t.points = thingColumns * thingRows
	}
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
