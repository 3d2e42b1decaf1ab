package whatif

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// A Ranked is the list of what a recorded program gains if a part of it takes less time.
type Ranked struct {
	On      string             // the machine that it is for
	Note    string             // in place of rows
	Elapsed int64              // ns of the replay that nothing is faster in
	Gains   []*experiment.Gain // empty while they are not known
	Path    []*Share           // parts of the critical path, longest first; nil while they are not known
	Changed bool               // the path of the trial is known, too
}

// A Share is the share of a part of the critical path, in the recorded run and in the trial.
type Share struct {
	Name          string
	Recorded, Now float64
}

// sorted returns the gains, largest first, for Savings[i]. Waits and messages are left out altogether. Parts that were not measured follow the others.
func (l *Ranked) sorted(i int) []*experiment.Gain {
	gains := slices.Clone(l.Gains)
	elapsed := func(g *experiment.Gain) int64 {
		switch {
		case g.Elapsed[i] >= 0:
			return g.Elapsed[i]
		case g.Computes():
			return math.MaxInt64
		}
		return g.Best()
	}
	slices.SortStableFunc(gains, func(a, b *experiment.Gain) int {
		return cmp.Or(cmp.Compare(elapsed(a), elapsed(b)), cmp.Compare(a.Best(), b.Best()))
	})
	return gains
}

// partOf returns the setting that a gain stands for when Savings[i] are saved, and its value.
func partOf(g *experiment.Gain, i int) (name, value string) {
	if g.Computes() {
		return speedPrefix + g.Name, strconv.FormatFloat(experiment.Faster(experiment.Savings[i]), 'g', -1, 64)
	}
	return zeroPrefix + g.Name, noWaits
}

// titleOf returns the name of the part of a gain with its kind. Most parts are functions.
func titleOf(g *experiment.Gain) string {
	if g.Computes() {
		return g.Name
	}
	return g.Kind + " " + g.Name
}

// Widths in points.
const (
	gainWidth  = 36
	boundWidth = 58
	shareWidth = 62
)

// list draws the ranked list and the critical path in r.
func (d *drawing) list(r ui.Rect) {
	l, p := d.shown.Ranked, d.panel
	if p.saving == 0 {
		p.saving = len(experiment.Savings)
	}
	saving := p.saving - 1
	muted := ui.Type{Color: d.Theme.Muted}
	d.Paragraph(r.CutTop(d.ParagraphHeight(r.W(), l.On, muted)), l.On, muted)
	r.CutTop(d.Px(4))
	row := r.CutTop(d.Px(d.Theme.Ctl))
	label := row.CutLeft(d.Px(92))
	d.Label(label, "Time saved", muted)
	d.Tip(label, "How much less time a part takes: the list is sorted by it, and a click on a row replays the program with it. Waits and messages are left out altogether")
	var labels []string
	for _, s := range experiment.Savings {
		labels = append(labels, figures.Share(s, 0))
	}
	if widget.Segments(d.Context, row, "time saved", labels, &saving) {
		p.saving = saving + 1
		d.Again()
	}
	r.CutTop(d.Px(4))
	d.path(&r)
	d.columns(r.CutTop(d.Px(20)), saving)
	gains := l.sorted(saving)
	chosen := slices.IndexFunc(gains, func(g *experiment.Gain) bool { return titleOf(g) == p.row })
	if widget.List(d.Context, r, "parts", widget.ListOptions{
		N: len(gains), Empty: l.Note, Single: true,
		Draw:  func(i int, r ui.Rect) { d.gain(r, i, gains[i], saving) },
		Enter: func(i int) { d.try(gains[i], saving) },
	}, &chosen) {
		p.row = titleOf(gains[chosen])
		d.Again()
	}
}

// cells cuts the cells of a row of the list off the right of r: one for each of Savings, and the bound.
func (d *drawing) cells(r *ui.Rect) []ui.Rect {
	r.X1 -= d.Px(4)
	cells := make([]ui.Rect, len(experiment.Savings)+1)
	cells[len(cells)-1] = r.CutRight(d.Px(boundWidth))
	for i := len(experiment.Savings) - 1; i >= 0; i-- {
		cells[i] = r.CutRight(d.Px(gainWidth))
	}
	return cells
}

// columns draws the heads of the columns.
func (d *drawing) columns(r ui.Rect, saving int) {
	whole := r
	r.X1 -= d.Px(ui.ScrollWidth)
	cells := d.cells(&r)
	small := ui.Type{Size: ui.Small, Color: d.Theme.Muted}
	d.Label(r, "gain of the run in %", small)
	small.Align = scene.End
	d.Label(cells[len(cells)-1], "at best", small)
	for i, s := range experiment.Savings {
		ty := small
		if i == saving {
			ty.Face, ty.Color = scene.Bold, d.Theme.Ink
		}
		d.Label(cells[i], "–"+strconv.Itoa(int(100*s)), ty)
	}
	d.Tip(whole, "By how many percent the run gets shorter if a part takes 10, 25, 50 and 100 % less time, and the least time of any schedule when all of it is saved")
}

// gain draws row i of the list. A part that the trial tries is bold.
func (d *drawing) gain(r ui.Rect, i int, g *experiment.Gain, saving int) {
	l, whole := d.shown.Ranked, r
	cells := d.cells(&r)
	r.X0 += d.Px(4)
	name, _ := partOf(g, saving)
	_, tried := d.shown.Settings[name]
	ty := ui.Type{Size: ui.Small, Mid: true}
	if tried {
		ty.Face = scene.Bold
	}
	r.X1 -= d.Px(4)
	d.Label(r, titleOf(g), ty)
	number := ui.Type{Size: ui.Small, Align: scene.End, Color: d.Theme.Muted}
	bound := figures.Duration(g.Least)
	d.Label(cells[len(cells)-1], bound, number)
	spoken := g.Kind + " " + g.Name
	for k, s := range experiment.Savings {
		if g.Elapsed[k] < 0 {
			continue
		}
		text, ty := figures.Fixed(100*float64(l.Elapsed-g.Elapsed[k])/float64(max(1, l.Elapsed)), 1), number
		if k == saving || !g.Computes() {
			ty.Color = d.Theme.Ink
		}
		d.Label(cells[k], text, ty)
		spoken += ", " + figures.Share(s, 0) + " less gains " + text + " %"
	}
	spoken += ", at best " + bound
	d.Describe(d.ID("part").Child(strconv.Itoa(i)), whole, ui.Accessible{Role: ui.RoleItem, Name: spoken, On: tried})
	tip, how := figures.Counted(g.Count, g.Kind), "without waiting for it"
	if g.Computes() {
		tip, how = "computes for "+figures.Duration(g.Work), "with it faster"
	}
	d.Tip(whole, titleOf(g)+": "+tip+". A click replays the program "+how+" and shows the critical path; another one takes that back")
}

// try asks for the trial of a part that takes less time, in place of that of another part. Where it is tried already, the part is as recorded again.
func (d *drawing) try(g *experiment.Gain, saving int) {
	d.panel.texts, d.panel.wrong, d.panel.moved = nil, "", ""
	next := machineOf(d.shown.Settings)
	if name, value := partOf(g, saving); d.shown.Settings[name] != value {
		next[name] = value
		d.did.Path = true
	}
	d.did.Set, d.did.Settings, d.did.More = true, next, false
	d.Again()
}

// machineOf returns those settings that are not of parts of the program.
func machineOf(settings map[string]string) map[string]string {
	machine := map[string]string{}
	maps.Copy(machine, settings)
	maps.DeleteFunc(machine, func(name, _ string) bool { return ofPart(name) })
	return machine
}

// mostPath is the number of parts of the critical path that the panel shows.
const mostPath = 5

// path draws the parts of the critical path, cut off the bottom of in.
func (d *drawing) path(in *ui.Rect) {
	l := d.shown.Ranked
	if len(l.Path) == 0 {
		return
	}
	n := min(len(l.Path), mostPath)
	box := in.CutBottom(d.Px(float32(20 * (n + 1))))
	in.CutBottom(d.Px(4))
	line := func(name, recorded, now string, ty ui.Type) {
		row := box.CutTop(d.Px(20))
		cell := ty
		cell.Align = scene.End
		right := row.CutRight(d.Px(shareWidth))
		if !l.Changed {
			now, recorded = recorded, ""
		}
		d.Label(right, now, cell)
		d.Label(row.CutRight(d.Px(shareWidth)), recorded, cell)
		ty.Mid = true
		d.Label(row, name, ty)
	}
	muted := ui.Type{Size: ui.Small, Color: d.Theme.Muted}
	head := box
	line("Critical path", "recorded", "now", muted)
	d.Tip(ui.Rect{X0: head.X0, Y0: head.Y0, X1: head.X1, Y1: box.Y0}, "What the end of the run had to wait for. The thread graph and the timeline draw it")
	for _, s := range l.Path[:n] {
		line(s.Name, figures.Share(s.Recorded, 1), figures.Share(s.Now, 1), ui.Type{Size: ui.Small})
	}
}
