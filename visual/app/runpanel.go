package app

import (
	"slices"
	"strconv"
	"strings"

	"whorl/benchmarks"
	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// toggleRun opens or closes the panel for a run.
func (a *App) toggleRun() {
	a.running = !a.running
	a.changed = true
}

// editProgram opens a text as the program of a run.
func (a *App) editProgram(name, text string) {
	a.form.program = len(benchmarks.All)
	a.program.name = name
	a.program.SetText(text)
	a.running = true
	a.changed = true
}

// runPanel is the form for a run, cut off the left side of r.
func (a *App) runPanel(c *ui.Context, r *ui.Rect) {
	own := a.form.own()
	width := c.Px(300)
	if own {
		width = max(width, min(c.Px(680), r.W()*0.45))
	}
	panel := r.CutLeft(min(width, r.W()))
	edge := panel.CutRight(c.Hair())
	c.Fill(edge, c.Theme.Line)
	c.Scope("run panel")
	defer c.Unscope()
	in := c.Panel(panel, "Run a program")
	shut := ui.Rect{X0: panel.X1 - c.Px(34), Y0: panel.Y0 + c.Px(6), X1: panel.X1 - c.Px(10), Y1: panel.Y0 + c.Px(30)}
	if c.IconButton(shut, "close", icon.Close, "Close this panel ("+a.commandNamed("run").keys[0].String()+")") {
		a.toggleRun()
	}
	in = in.Inset(c.Px(ui.Pad), 0)
	in.CutTop(c.Px(ui.Pad))
	foot := in
	foot.Y0 = in.CutBottom(c.Px(ui.Ctl + ui.Pad)).Y0
	in.CutBottom(c.Px(ui.Pad)) // between the two
	height := a.formRows(c, in, false)
	form := in
	start := false
	if own {
		form = in.CutTop(min(height, max(in.H()-c.Px(120), 0))) // the editor keeps a few lines
		start = a.ownProgram(c, in)
	} else if height < in.H() { // the buttons follow the form
		foot = foot.Move(0, height-in.H()-c.Px(4))
		form.Y1 = form.Y0 + height
	}
	c.Scroll(form, "form", height, func(r ui.Rect) { a.formRows(c, r, true) })
	foot.Y1 = min(foot.Y0+c.Px(ui.Ctl), foot.Y1)
	b := ui.Press{Label: "Run", Icon: icon.Play, Look: ui.Primary, Tip: "Start the program and watch it grow"}
	if own {
		b.Tip += " (Ctrl+Enter)"
	}
	if c.Press(foot.CutLeft(c.Width(b)), "start", b) || start {
		a.startForm(false)
	}
	foot.CutLeft(c.Px(ui.Gap))
	p := ui.Press{Label: "Step", Icon: icon.Step, Tip: "Start the program paused, to go reduction by reduction"}
	if c.Press(foot.CutLeft(c.Width(p)), "paused", p) {
		a.startForm(true)
	}
}

// ownProgram edits the user's own program in the room that the form leaves; it says whether to run it.
func (a *App) ownProgram(c *ui.Context, r ui.Rect) (run bool) {
	p := &a.program
	c.Box(r, c.Px(ui.Corner), c.Theme.Ground, c.Theme.Border)
	box := r.Inset(c.Px(1), c.Px(1))
	foot := box.CutBottom(min(c.Px(ui.Bar), box.H()/3))
	run = a.editor(c, box, p)
	c.Fill(ui.Rect{X0: foot.X0, Y0: foot.Y0, X1: foot.X1, Y1: foot.Y0 + c.Hair()}, c.Theme.Line)
	a.verdict(c, foot.Inset(c.Px(ui.Gap), 0), p)
	return run
}

const formRow = ui.Ctl + 8

// formRows draws the form into r when show is set, and returns how high it is. With room for it what is short stands two to a row.
func (a *App) formRows(c *ui.Context, r ui.Rect, show bool) float32 {
	f := &a.form
	top, label := r.Y0, c.Px(76)
	cell := func(at ui.Rect, name, tip string) ui.Rect {
		at.CutBottom(c.Px(8))
		left := at.CutLeft(label)
		c.Label(left, name, ui.Type{Color: c.Theme.Muted})
		c.Tip(left, tip)
		return at
	}
	pairs := r.W() >= c.Px(400)
	half := ui.Rect{} // the right half of the last row, while it is free
	row := func(name, tip string, draw func(ui.Rect)) {
		half = ui.Rect{}
		if at := r.CutTop(c.Px(formRow)); show {
			draw(cell(at, name, tip))
		}
	}
	short := func(name, tip string, draw func(ui.Rect)) {
		at := half
		if half = (ui.Rect{}); at.Empty() {
			if at = r.CutTop(c.Px(formRow)); pairs {
				cells := at.Columns(c.Px(ui.Pad), ui.Flex(1), ui.Flex(1))
				at, half = cells[0], cells[1]
			}
		}
		if show {
			draw(cell(at, name, tip))
		}
	}
	r.Y1 = max(r.Y1, r.Y0+c.Px(4000)) // to measure there is room for all
	start := false
	field := func(name string, text *string, look ui.FieldLook) func(ui.Rect) {
		return func(at ui.Rect) { start = c.Field(at, name, text, look).Done || start }
	}
	row("Program", "One of the benchmarks, or a text of your own", func(at ui.Rect) { a.programChoice(c, at) })
	hint := "that of the benchmark"
	if f.own() {
		hint = "main(X)"
		row("Name", "What errors and saved files call the program", func(at ui.Rect) {
			if c.IconButton(at.CutRight(c.Px(ui.Ctl)), "save program", icon.Save, "Save the program as a file (Ctrl+S)") {
				a.saveProgram(&a.program)
			}
			at.CutRight(c.Px(4))
			c.Field(at, "name", &a.program.name, ui.FieldLook{})
		})
	} else {
		b, ty := benchmarks.All[f.program], ui.Type{Size: ui.Small, Color: c.Theme.Muted}
		text := r.CutTop(c.ParagraphHeight(r.W(), b.Doc, ty) + c.Px(12))
		if show {
			c.Paragraph(text.Inset(0, c.Px(2)), b.Doc, ty)
		}
		for i, p := range b.Params {
			if i < len(f.args) {
				short(p.Name, p.Doc, field("size "+p.Name, &f.args[i], ui.FieldLook{Error: sizeError(p, f.args[i])}))
			}
		}
	}
	row("Goal", "The query that starts the program", field("goal", &f.goal, ui.FieldLook{Hint: hint, Code: true}))
	short("PEs", "Processing elements", field("pes", &f.pes, ui.FieldLook{Error: countError(f.pes, 1, experiment.MaxPEs)}))
	short("Seed", "The same seed gives the same run", field("seed", &f.seed, ui.FieldLook{Error: countError(f.seed, 0, 1<<63-1)}))
	item := func(name string, items []experiment.Item, labels []string, at *int) {
		id := strings.ToLower(name)
		tip := name
		if i := *at - (len(labels) - len(items)); i >= 0 && i < len(items) {
			tip = items[i].Name + ": " + items[i].Doc
		}
		short(name, tip, func(r ui.Rect) { c.Dropdown(r, id, labels, at) })
	}
	item("Policy", experiment.Policies(), names(experiment.Policies()), &f.policy)
	item("Machine", experiment.Machines(), names(experiment.Machines()), &f.machine)
	item("Network", experiment.Networks(), networkNames(), &f.network)
	if start {
		a.startForm(false)
	}
	return r.Y0 - top
}

// programChoice is the choice of what to run.
func (a *App) programChoice(c *ui.Context, r ui.Rect) {
	f := &a.form
	if was := f.program; c.Dropdown(r, "program", programNames(), &f.program) && was != f.program {
		f.goal = ""
		if f.own() && was < len(benchmarks.All) {
			a.startFrom(was)
		}
		f.args = f.defaults()
		c.Again()
	}
}

func sizeError(p benchmarks.Param, s string) string { return countError(s, p.Min, p.Max) }

// countError says what is wrong with a number, "" for nothing.
func countError(s string, least, most int64) string {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < least || most > least && n > most {
		return "a whole number from " + figures.Count(least) + " to " + figures.Count(most)
	}
	return ""
}

// startFrom takes a benchmark's program as the beginning of the user's own.
func (a *App) startFrom(benchmark int) {
	b := benchmarks.All[benchmark]
	p, ok := b.Program.(benchmarks.FGHC)
	if !ok || a.program.Text() != "" {
		return
	}
	sizes, err := b.Sizes(a.form.args)
	if err != nil {
		sizes = b.Defaults()
	}
	a.program.SetText(p.Source)
	a.program.name = p.File
	a.form.goal = p.Goal(sizes)
}

// startForm starts what the form describes; paused, it stands at the first reduction.
func (a *App) startForm(paused bool) {
	r, err := a.form.run(&a.program)
	if err != nil {
		a.fail(err)
		return
	}
	d := a.begin(r, "")
	if d == nil {
		return
	}
	if i := slices.IndexFunc(a.State.Personal.Panes, func(p view.Pane) bool { return p.Trace == d.name }); i >= 0 {
		a.setFocus(a.IDs[i]) // its progress is told, and the keys step it
	}
	if paused {
		a.command(d, Command{Do: StepTo, N: 0})
		a.stateOpen = true
	}
}

// dialogs draws what lies over the window.
func (a *App) dialogs(c *ui.Context) {
	a.helpDialog(c)
	a.compareDialog(c)
	a.noteDialog(c)
	a.placingDialog(c)
	a.drawMenu(c)
}
