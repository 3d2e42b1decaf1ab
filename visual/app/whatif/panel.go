package whatif

import (
	"slices"
	"strings"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// A Panel is the panel on the right with the settings of the trial of one trace.
type Panel struct {
	Open   bool
	Lists  bool              // it shows the ranked list in place of the settings
	saving int               // 1 + the index in Savings of what rows try, 0 for the last
	row    string            // of the list that was chosen last, by its title
	trace  string            // that texts and wrong belong to
	texts  map[string]string // typed and not entered yet, by setting
	wrong  string            // why the last value was not taken
	part   string            // whose speed was chosen to be changed last, "" for none
	moved  string            // the setting that was moved last
	known  known             // of the last pass
	height float32           // of the settings in the last pass
	around float32           // height of the rows above and below them
}

// A Shown is the content of the panel.
type Shown struct {
	Trace    string
	Base     experiment.Run    // the recorded run
	Why      error             // why it cannot be run again; nil if it can
	Settings map[string]string // of the trial; nil for none
	Parts    []string          // procedures, functions or lines of the program, whose speed can be changed
	Err      string            // why the trial could not run
	Numbers  []Number
	Note     string // how far the trial is
	Before   Before
	Ranked   *Ranked // nil unless the panel lists the gains of a recorded program
}

// A Number is a row of the table of differences. A text is "" while it is not known.
type Number struct{ Name, Doc, Recorded, Now, Difference string }

// Before is how the recorded run is shown with the trial.
type Before int

// The ways, in the order of the panel.
const (
	Ghost Before = iota
	Beside
	Hidden
)

// Did reports the user's actions.
type Did struct {
	Set      bool              // the trial has other settings
	Settings map[string]string // none for the recorded run
	More     bool              // the change continues the last one: one undo takes back both
	Path     bool              // its critical path is to be shown
	Copy     string            // a command to be copied
	Show     bool              // the recorded run is to be shown in another way
	Before   Before
}

// Draw draws the panel, cut off the right side of r. The tip of its button for closing names a key.
func (p *Panel) Draw(c *ui.Context, r *ui.Rect, s *Shown, key string) Did {
	area := widget.Aside(c, r, c.Px(372), (*ui.Rect).CutRight)
	edge := area.CutLeft(c.Hair())
	c.Fill(edge, c.Theme.Line)
	c.Scope("what if")
	defer c.Unscope()
	if p.trace != s.Trace {
		p.trace, p.texts, p.wrong, p.moved = s.Trace, nil, "", ""
		p.part = ""
	}
	if p.texts == nil {
		p.texts = map[string]string{}
	}
	d := &drawing{Context: c, panel: p, shown: s}
	d.draw(area, key)
	return d.did
}

// A drawing is one pass over a panel.
type drawing struct {
	*ui.Context
	panel *Panel
	shown *Shown
	now   experiment.Run // the run of the trial, as far as its settings are valid
	did   Did
}

// lowPanel is the height in points of a panel that shows the settings without scrolling, but not everything with them.
const lowPanel = 560

// listHeight is the height in points of the ranked list in a low panel, which scrolls.
const listHeight = 320

func (d *drawing) draw(area ui.Rect, key string) {
	in := widget.Panel(d.Context, area, "What if")
	if widget.CloseButton(d.Context, area, "Close this panel ("+key+")") {
		d.panel.Open = false
	}
	in = in.Inset(d.Px(ui.Pad), d.Px(ui.Gap))
	muted := ui.Type{Color: d.Theme.Muted}
	d.paragraph(&in, d.shown.Trace, ui.Type{Face: scene.Bold})
	if d.shown.Why != nil {
		d.paragraph(&in, "This run cannot be changed here: "+d.shown.Why.Error()+".", ui.Type{})
		return
	}
	known := d.panel.know(d.shown, d.parts())
	if known.err != nil && d.shown.Err == "" {
		d.shown.Err = known.err.Error()
	}
	d.now = known.now
	around := func(in *ui.Rect) {
		d.paragraph(in, about(&d.shown.Base), muted)
		d.foot(in)
	}
	if d.shown.Base.Recorded != nil {
		d.pages(&in)
	}
	height, more := d.panel.height, float32(0)
	low := area.H() < d.Px(lowPanel)
	if low {
		more = d.panel.around
	} else {
		around(&in)
	}
	lists := d.shown.Ranked != nil
	if lists && !low {
		d.list(in)
		d.escape()
		return
	}
	d.Scroll(in, "settings", height+more, func(r ui.Rect) {
		if whole := r.H(); low {
			around(&r)
			d.panel.around = whole - r.H()
		}
		top := r.Y0
		if lists {
			d.list(r.CutTop(d.Px(listHeight)))
			d.panel.height = r.Y0 - top
			return
		}
		r.Y1 = r.Y0 + d.Px(4000) // room for everything while it is measured
		d.rows(&r, known)
		d.panel.height = r.Y0 - top
	})
	if d.panel.height != height || low && d.panel.around != more {
		d.Again()
	}
	d.escape()
}

// escape asks for the recorded run when the user presses Escape.
func (d *drawing) escape() {
	if len(d.shown.Settings) > 0 && d.Shortcut(0, "Escape") {
		d.restore()
		d.TakeEvent()
	}
}

// pages draws the choice between the settings and the ranked list, cut off the top of r.
func (d *drawing) pages(r *ui.Rect) {
	row := r.CutTop(d.Px(d.Theme.Ctl))
	r.CutTop(d.Px(4))
	chosen := 0
	if d.panel.Lists {
		chosen = 1
	}
	if widget.Segments(d.Context, row, "page", []string{"Settings", "Ranked gains"}, &chosen) {
		d.panel.Lists = chosen == 1
		d.Again()
	}
	d.Tip(row, "Change settings, or see what the run gains if a part of it takes less time")
}

// about says what the numbers of a trial are worth.
func about(base *experiment.Run) string {
	r := base.Recorded
	if r == nil {
		return "Exact for the model: the program runs again with these settings. whorl whatif ranks its parts."
	}
	text := "The simulator replays the program in the trace with these settings."
	if !r.Measured {
		return text
	}
	text += " As recorded, it takes " + figures.Duration(r.Own) + " in place of " + figures.Duration(r.Elapsed) + "."
	if off := r.Own - r.Elapsed; max(off, -off)*100 > r.Elapsed*experiment.Guess {
		text += " So the numbers are guesses."
		for _, why := range r.Doubts {
			text += "\n" + strings.ToUpper(why[:1]) + why[1:] + "."
		}
	}
	return text
}

// paragraph writes a text, cut off the top of r.
func (d *drawing) paragraph(r *ui.Rect, text string, t ui.Type) {
	d.Paragraph(r.CutTop(d.ParagraphHeight(r.W(), text, t)), text, t)
	r.CutTop(d.Px(4))
}

// foot draws what follows the settings, cut off the bottom of in: errors, the difference to the recorded run, its command and the buttons.
func (d *drawing) foot(in *ui.Rect) {
	row := in.CutBottom(d.Px(d.Theme.Ctl))
	back := widget.ButtonOptions{Label: "Back to the recorded run", Icon: icon.Undo, Tip: "Show the recorded run again (Esc)"}
	d.Disabled = len(d.shown.Settings) == 0
	if widget.Button(d.Context, row.CutLeft(widget.ButtonWidth(d.Context, back)), "back", back) {
		d.restore()
	}
	d.Disabled = false
	in.CutBottom(d.Px(ui.Gap))
	d.before(in.CutBottom(d.Px(d.Theme.Ctl)))
	in.CutBottom(d.Px(ui.Gap))
	command := d.command(in)
	row.CutLeft(d.Px(ui.Gap))
	copies := widget.ButtonOptions{Label: "Copy command", Tip: "Copy the command that makes this run"}
	if widget.Button(d.Context, row.CutLeft(min(widget.ButtonWidth(d.Context, copies), row.W())), "copy command", copies) {
		d.did.Copy = command
	}
	d.table(in)
	small := ui.Type{Size: ui.Small, Color: d.Theme.Muted}
	if note := d.shown.Note; note != "" {
		d.Paragraph(in.CutBottom(d.ParagraphHeight(in.W(), note, small)), note, small)
	}
	if wrong := strings.Join(slices.DeleteFunc([]string{d.panel.wrong, d.shown.Err}, func(s string) bool { return s == "" }), "\n"); wrong != "" {
		bad := ui.Type{Color: d.Theme.Danger}
		d.Paragraph(in.CutBottom(d.ParagraphHeight(in.W(), wrong, bad)), wrong, bad)
	}
	in.CutBottom(d.Px(ui.Gap))
	d.Fill(in.CutBottom(d.Hair()), d.Theme.Line)
}

// before draws the choice of how the recorded run is shown.
func (d *drawing) before(r ui.Rect) {
	label := r.CutLeft(d.Px(92))
	d.Label(label, "Recorded run", ui.Type{Color: d.Theme.Muted})
	d.Tip(label, "How the recorded run is shown with the new one: drawn over it, in panes of its own, or not at all")
	chosen := int(d.shown.Before)
	if widget.Segments(d.Context, r, "recorded run", []string{"Ghost", "Beside", "Hidden"}, &chosen) {
		d.did.Show, d.did.Before = true, Before(chosen)
	}
}

// command draws the command that makes the run, cut off the bottom of in, and returns it.
func (d *drawing) command(in *ui.Rect) string {
	text := d.now.Command(fileName(d.shown.Trace))
	ty := ui.Type{Size: ui.Small, Face: scene.Mono}
	d.Paragraph(in.CutBottom(min(d.ParagraphHeight(in.W(), text, ty), d.Px(80))), text, ty)
	in.CutBottom(d.Px(ui.Gap))
	return text
}

// fileName returns the name of a file for the trace of a trial.
func fileName(trace string) string {
	name, _, _ := strings.Cut(trace, ",")
	return strings.ReplaceAll(strings.TrimSpace(name), " ", "-") + "-what-if.whorl"
}

// table draws the differences between the recorded run and the trial.
func (d *drawing) table(in *ui.Rect) {
	if len(d.shown.Numbers) == 0 {
		return
	}
	box := in.CutBottom(d.Px(float32(20 * (len(d.shown.Numbers) + 1))))
	line := func(n Number, name, cell ui.Type) {
		row := box.CutTop(d.Px(20))
		first := row.CutLeft(d.Px(92))
		d.Label(first, n.Name, name)
		if n.Doc != "" {
			d.Tip(first, n.Doc)
		}
		cell.Align = scene.End
		for i, r := range row.Columns(d.Px(4), 0, 0, 0) {
			d.Label(r, []string{n.Recorded, n.Now, n.Difference}[i], cell)
		}
	}
	muted := ui.Type{Color: d.Theme.Muted, Size: ui.Small}
	head := "recorded"
	if r := d.shown.Base.Recorded; r != nil && r.Measured {
		head = "replayed"
	}
	line(Number{"", "", head, "now", "difference"}, muted, muted)
	for _, n := range d.shown.Numbers {
		line(n, ui.Type{Color: d.Theme.Muted}, ui.Type{})
	}
	in.CutBottom(d.Px(ui.Gap))
}
