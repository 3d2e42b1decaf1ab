package lessons

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"whorl/lesson"
	"whorl/visual/app/gallery"
	"whorl/visual/documents"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
)

// Width is the width of the panel in points. In a window of 1280 points it leaves room for three runs and a column beside them (workspace.LeastWidth).
const Width = 392

// Did reports the actions in the panel that concern the window.
type Did struct {
	Picture *lesson.Picture // to be shown in a pane
}

// A drawing is one pass over the panel.
type drawing struct {
	*ui.Context
	p     *Panel
	t     *taking   // nil for the list
	seen  ui.Rect   // the visible part
	count int       // of texts
	tops  []float32 // of the blocks of the lesson
	reply ui.Rect   // the frame of the question that was just answered
	did   Did
}

func figure(n int) string { return strconv.Itoa(n) }

// Draw draws the panel, cut off the left side of r. The tip of its button for closing names a key.
func (p *Panel) Draw(c *ui.Context, r *ui.Rect, key string) Did {
	width := min(c.Px(Width), max(r.W()/2, c.Px(260)))
	area := widget.Aside(c, r, width, (*ui.Rect).CutLeft)
	c.Fill(area.CutRight(c.Hair()), c.Theme.Line)
	c.Scope("lessons")
	defer c.Unscope()
	d := &drawing{Context: c, p: p, t: p.taken}
	title := "Lessons"
	if d.t != nil {
		title = d.t.l.Title
	}
	in := widget.Panel(c, area, title)
	if widget.CloseButton(c, area, "Close this panel ("+key+")") {
		p.Open = false
	}
	in = in.Inset(c.Px(ui.Pad), c.Px(ui.Gap))
	d.top(&in)
	d.t = p.taken // which the button for the list may have left
	name := "list"
	if d.t != nil {
		name = "lesson " + d.t.l.Name
	}
	height := p.height
	d.seen = in
	top := float32(0)
	c.Scroll(in, name, height, func(r ui.Rect) {
		top = r.Y0
		r.X1 -= c.Px(4)
		r.Y1 = top + c.Px(60000) // room for everything while it is measured
		if d.t == nil {
			d.heads(&r)
		} else {
			d.lesson(&r)
		}
		p.height = r.Y0 - top
	})
	settled := p.height == height
	if !d.reply.Empty() {
		if below := d.reply.Y1 + c.Px(ui.Gap) - in.Y1; below > 0 {
			*d.scroll(name) += float64(below)
			c.Again()
		}
		if settled {
			p.replied = ""
		}
	}
	for i := range d.tops {
		d.tops[i] -= top
	}
	if p.track(d.scroll(name), float64(max(p.height-in.H(), 0)), d.tops, settled) || !settled {
		c.Again()
	}
	return d.did
}

// button draws a button of its own width, cut off the left side of row.
func (d *drawing) button(row *ui.Rect, name string, o widget.ButtonOptions) bool {
	pressed := widget.Button(d.Context, row.CutLeft(min(widget.ButtonWidth(d.Context, o), row.W())), name, o)
	row.CutLeft(d.Px(ui.Gap))
	return pressed
}

// top draws what does not scroll: the way back, the progress, the choice of parameters and errors.
func (d *drawing) top(in *ui.Rect) {
	p := d.p
	if p.wanted != "" {
		d.plain(in, "The runs of the lesson are being made…", ui.Type{Color: d.Theme.Muted}, ui.RoleStatus)
	}
	if p.wrong != "" {
		d.plain(in, p.wrong, ui.Type{Color: d.Theme.Danger}, ui.RoleStatus)
	}
	if d.t == nil {
		return
	}
	l := d.t.l
	row := in.CutTop(d.Px(d.Theme.Ctl))
	if d.button(&row, "all lessons", widget.ButtonOptions{Label: "All lessons", Icon: icon.Left, Look: widget.Quiet}) {
		p.Leave()
		d.Again()
	}
	if i := slices.Index(l.Langs, l.Lang); len(l.Langs) > 1 && i >= 0 {
		var labels []string
		for _, lang := range l.Langs {
			labels = append(labels, strings.ToUpper(lang))
		}
		if widget.Segments(d.Context, row.CutRight(d.Px(float32(44*len(labels)))), "language", labels, &i) {
			p.lang = l.Langs[i]
			p.asked = false
			p.load(l.Name, p.lang, l.Set, p.place.Values)
		}
		row.CutRight(d.Px(ui.Gap))
	}
	d.Label(row, p.Progress(&l.Head), ui.Type{Color: d.Theme.Muted})
	in.CutTop(d.Px(4))
	d.sets(in)
	d.Fill(in.CutTop(d.Hair()), d.Theme.Line)
	in.CutTop(d.Px(4))
}

// sets draws the choice between the sets of parameters.
func (d *drawing) sets(in *ui.Rect) {
	l := d.t.l
	if len(l.Sets) > 1 {
		row := in.CutTop(d.Px(d.Theme.Ctl))
		d.Label(row.CutLeft(d.Px(60)), "Runs", ui.Type{Color: d.Theme.Muted})
		labels := slices.Clone(l.Sets)
		for i := range labels {
			if labels[i] == "" {
				labels[i] = "As written"
			}
		}
		chosen := slices.Index(l.Sets, l.Set)
		if widget.Dropdown(d.Context, row, "set", labels, &chosen) {
			d.p.choose(l.Name, l.Sets[chosen], nil)
		}
		d.Tip(row, "Other runs, for which the questions have other answers")
		in.CutTop(d.Px(4))
	}
	if offer := d.t.offer; len(offer) > 0 && !d.p.fixed() {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(offer)) {
			parts = append(parts, name+" "+offer[name])
		}
		row := in.CutTop(d.Px(d.Theme.Ctl))
		if d.button(&row, "tried", widget.ButtonOptions{Label: "Ask about the run that you try: " + strings.Join(parts, ", ")}) {
			d.p.choose(l.Name, l.Set, d.values(offer))
		}
		in.CutTop(d.Px(4))
	}
}

// values returns the parameters that differ from those of the set of the lesson, with some changed.
func (d *drawing) values(changed map[string]string) map[string]string {
	values := map[string]string{}
	for _, q := range d.t.l.Parameters {
		if q.Value != q.Default {
			values[q.Name] = q.Value
		}
	}
	maps.Copy(values, changed)
	return values
}

// heads draws the list of lessons.
func (d *drawing) heads(r *ui.Rect) {
	all := d.p.Heads()
	if len(all) == 0 && d.p.Waits() {
		d.plain(r, "The lessons are being read…", ui.Type{Color: d.Theme.Muted}, ui.RoleStatus)
	}
	for i := range all {
		h := &all[i]
		id, pad := d.ID("lesson "+h.Name), d.Px(10)
		title, muted := ui.Type{Face: scene.Bold, Size: ui.Title}, ui.Type{Color: d.Theme.Muted}
		width := r.W() - 2*pad
		about := minutes(h) + " · " + d.p.Progress(h)
		box := r.CutTop(d.ParagraphHeight(width, h.Title, title) + d.ParagraphHeight(width, h.Summary, ui.Type{}) + d.line(muted) + 2*pad)
		t := d.Touch(id, box, ui.WantsFocus, "")
		d.Describe(id, box, ui.Accessible{Role: ui.RoleButton, Name: h.Title + ". " + h.Summary + " " + about})
		ground, border := d.Theme.Raised, d.Theme.Border
		if t.Hot {
			ground, border = d.Theme.Hover, d.Theme.Link
		}
		d.Box(box, d.Px(ui.Corner), ground, border)
		in := box.Inset(pad, pad)
		d.Paragraph(in.CutTop(d.ParagraphHeight(width, h.Title, title)), h.Title, title)
		d.Paragraph(in.CutTop(d.ParagraphHeight(width, h.Summary, ui.Type{})), h.Summary, ui.Type{})
		d.Label(in.CutTop(d.line(muted)), about, muted)
		if t.Ring {
			d.FocusRing(box, d.Px(ui.Corner))
		}
		if d.Fired(t) {
			d.p.choose(h.Name, "", nil)
		}
		r.CutTop(d.Px(ui.Gap))
	}
}

// lesson draws the text of a lesson.
func (d *drawing) lesson(r *ui.Rect) {
	l := d.t.l
	d.parameters(r)
	for i := range l.Blocks {
		d.tops = append(d.tops, r.Y0)
		d.block(r, &l.Blocks[i])
	}
	row := r.CutTop(d.Px(d.Theme.Ctl))
	if len(l.Runs) > 0 && d.button(&row, "runs", widget.ButtonOptions{Label: "Show the runs of the lesson again", Icon: icon.Play, Tip: "Start the runs of the lesson and arrange the panes as at its beginning"}) {
		d.p.starts, d.p.chose = true, true
	}
	r.CutTop(d.Px(ui.Gap))
	if next := d.p.next(); next != nil {
		row = r.CutTop(d.Px(d.Theme.Ctl))
		if d.button(&row, "next lesson", widget.ButtonOptions{Label: "Next lesson: " + next.Title, Icon: icon.Right, Look: widget.Primary}) {
			d.p.choose(next.Name, "", nil)
		}
		r.CutTop(d.Px(ui.Gap))
	}
	r.CutTop(d.Px(24))
}

// reveal draws what a prediction hides.
func (d *drawing) reveal(r *ui.Rect, b *lesson.Block) {
	if b.After == "" || d.t.state.Completed(b.After) {
		d.blocks(r, b.Body)
		return
	}
	d.plain(r, "What follows is shown after your prediction.", ui.Type{Color: d.Theme.Muted, Size: ui.Small}, ui.RoleParagraph)
	r.CutTop(d.Px(8))
}

// summary draws the end of a lesson, which has the answers to its predictions.
func (d *drawing) summary(r *ui.Rect, b *lesson.Block) {
	if slices.ContainsFunc(d.t.l.Predictions(), func(id string) bool { return !d.t.state.Completed(id) }) {
		d.plain(r, "The summary is shown after your predictions.", ui.Type{Color: d.Theme.Muted, Size: ui.Small}, ui.RoleParagraph)
		return
	}
	d.quoted(r, b.Body, d.Theme.Accent)
}

// hint draws a hint of the text behind a button.
func (d *drawing) hint(r *ui.Rect, b *lesson.Block) {
	key := "hint " + b.ID
	if b.ID == "" {
		for i := range d.t.l.Blocks {
			if &d.t.l.Blocks[i] == b {
				key += figure(i)
			}
		}
	}
	if !d.t.opened[key] {
		row := r.CutTop(d.Px(d.Theme.Ctl))
		if d.button(&row, key, widget.ButtonOptions{Label: "Show a hint", Icon: icon.Info}) {
			d.t.opened[key] = true
			d.Again()
		}
		return
	}
	d.quoted(r, b.Body, d.Theme.Warn)
}

// picture draws a picture of a run, or the chart of a series.
func (d *drawing) picture(r *ui.Rect, pic *lesson.Picture) {
	if pic == nil {
		return
	}
	shape := float32(0.6)
	if pic.Width > 0 && pic.Height > 0 {
		shape = min(float32(pic.Height)/float32(pic.Width), 1.2)
	}
	box := r.CutTop(ui.Whole(r.W() * max(shape, 0.4)))
	d.Outline(box, 0, d.Hair(), d.Theme.Border)
	d.spoken(ui.RoleImage, box, pic.Alt)
	if pic.Series != nil {
		d.chart(box, pic.Series, nil, true)
	} else if thumb := d.t.thumb(d.p.kinds, pic, d.Theme.Dark); thumb != nil {
		thumb.Draw(d.Context, box.Inset(d.Hair(), d.Hair()))
	}
	r.CutTop(d.Px(4))
	d.plain(r, pic.Caption, ui.Type{Color: d.Theme.Muted, Size: ui.Small}, ui.RoleParagraph)
	if pic.Series == nil {
		row := r.CutTop(d.Px(d.Theme.Ctl))
		d.Scope("picture " + pic.Run + " " + pic.View + " " + pic.Caption)
		if d.button(&row, "show", widget.ButtonOptions{Label: "Show it in a pane", Icon: icon.Fit, Look: widget.Quiet}) {
			d.did.Picture = pic
		}
		d.Unscope()
		r.CutTop(d.Px(ui.Gap))
	}
}

// pictureFont is the size of the text in pictures in points.
const pictureFont = 10

// thumb returns the picture of a run, which Work computes; nil for a view that is not there.
func (t *taking) thumb(kinds []*view.Kind, pic *lesson.Picture, dark bool) *gallery.Thumb {
	if thumb, ok := t.pictures[pic]; ok {
		return thumb
	}
	i := slices.IndexFunc(kinds, func(k *view.Kind) bool { return k.Name == pic.View })
	if i < 0 {
		t.pictures[pic] = nil
		return nil
	}
	thumb := gallery.NewThumb(kinds[i], pic.Params, dark, "")
	thumb.Font, thumb.Window, thumb.Select, thumb.Trace = pictureFont, pic.Window, pic.Select, pic.Run
	if pic.Until != 0 {
		thumb.Until = &pic.Until
	}
	t.pictures[pic] = thumb
	t.order = append(t.order, pic)
	return thumb
}

// Work computes the pictures of the runs that are open, one after the other. It reports whether there is more to do.
func (p *Panel) Work(open func(run string) *documents.Document, text scene.Measurer, memory int64, now, budget time.Duration) (more, drawn bool) {
	t := p.taken
	if t == nil {
		return false, false
	}
	for i := 0; i < len(t.order); i++ {
		doc := open(t.order[i].Run)
		if doc == nil || doc.Live != nil && !doc.Live.Over {
			continue
		}
		if t.pictures[t.order[i]].Work(doc, text, memory, now, budget) {
			return true, drawn
		}
		t.order, drawn = slices.Delete(t.order, i, i+1), true
		i--
	}
	return false, drawn
}

func (p *Panel) stopPictures() {
	if p.taken == nil {
		return
	}
	for _, pic := range p.taken.order {
		p.taken.pictures[pic].Stop()
	}
	p.taken.order = nil
}
