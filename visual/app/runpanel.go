package app

import (
	"errors"
	"strconv"

	"whorl/benchmarks"
	"whorl/experiment"
	"whorl/fghc/syntax"
	"whorl/visual/ui"
)

// toggleRun opens or closes the panel for a run.
func (a *App) toggleRun() {
	a.running = !a.running
	a.changed = true
}

// editProgram opens a text as the program of a run.
func (a *App) editProgram(name, text string) {
	a.form.program = len(benchmarks.All)
	a.form.name = name
	a.program.SetText(text)
	a.running = true
	a.changed = true
}

// editSource opens the program of a trace, and how it was run, in the panel.
func (a *App) editSource(d *document) {
	name, text := d.source()
	m := d.src.Meta()
	r := experiment.Run{Program: name, Text: text, Goal: m.Goal, PEs: m.PEs, Policy: m.Policy, Machine: m.Machine, Network: m.Network, Seed: m.Seed}
	a.form.take(r)
	a.editProgram(name, text)
}

// runPanel is the form for a run, cut off the left side of r.
func (a *App) runPanel(c *ui.Context, r *ui.Rect) {
	width := c.Px(300)
	if a.form.own() {
		width = max(width, min(c.Px(560), r.W()*0.45))
	}
	panel := r.CutLeft(min(width, r.W()))
	edge := panel.CutRight(max(c.Px(1)/2, 1))
	c.Fill(edge, c.Theme.Line)
	c.Scope("run panel")
	defer c.Unscope()
	in := c.Panel(panel, "Run a program")
	shut := ui.Rect{X0: panel.X1 - c.Px(34), Y0: panel.Y0 + c.Px(6), X1: panel.X1 - c.Px(10), Y1: panel.Y0 + c.Px(30)}
	if c.IconButton(shut, "close", ui.CloseGlyph, "Close this panel (R)") {
		a.toggleRun()
	}
	foot := in.CutBottom(c.Px(ui.Ctl+2*ui.Pad)).Inset(c.Px(ui.Pad), c.Px(ui.Pad))
	b := ui.Press{Label: "Run", Glyph: ui.PlayGlyph, Look: ui.Primary, Tip: "Start the program and watch it grow"}
	if c.Press(foot.CutLeft(c.Width(b)), "start", b) {
		a.startForm(false)
	}
	foot.CutLeft(c.Px(ui.Gap))
	p := ui.Press{Label: "Step", Glyph: ui.StepGlyph, Tip: "Start the program paused, to go reduction by reduction"}
	if c.Press(foot.CutLeft(c.Width(p)), "paused", p) {
		a.startForm(true)
	}
	in = in.Inset(c.Px(ui.Pad), 0)
	in.CutTop(c.Px(ui.Pad))
	form := in
	if a.form.own() {
		form = in.CutTop(c.Px(a.formHeight()))
	}
	c.Scroll(form, "form", c.Px(a.formHeight()), func(r ui.Rect) { a.formRows(c, r) })
	if a.form.own() {
		a.editor(c, in)
	}
}

const formRow = ui.Ctl + 8

// formHeight is how high the form is, in points.
func (a *App) formHeight() float32 {
	n := 7 // program, goal, PEs, policy, machine, network, seed
	doc := float32(0)
	if !a.form.own() {
		n += len(benchmarks.All[a.form.program].Params)
		doc = 44
	}
	return float32(n)*formRow + doc
}

func (a *App) formRows(c *ui.Context, r ui.Rect) {
	f := &a.form
	label := c.Px(84)
	row := func(name, tip string) ui.Rect {
		line := r.CutTop(c.Px(formRow))
		line.CutBottom(c.Px(8))
		at := line.CutLeft(label)
		c.Label(at, name, ui.Type{Color: c.Theme.Muted})
		c.Tip(at, tip)
		return line
	}
	if was := f.program; c.Dropdown(row("Program", "One of the benchmarks, or a text of your own"), "program", programNames(), &f.program) && was != f.program {
		f.goal = ""
		if f.own() && was < len(benchmarks.All) {
			a.startFrom(was)
		}
		f.args = f.defaults()
		c.Again()
	}
	if !f.own() {
		b := benchmarks.All[f.program]
		c.Paragraph(r.CutTop(c.Px(44)).Inset(0, c.Px(2)), b.Doc, ui.Type{Size: ui.Small, Color: c.Theme.Muted})
		for i, p := range b.Params {
			if i < len(f.args) {
				c.Field(row(p.Name, p.Doc), "size "+p.Name, &f.args[i], ui.FieldLook{Error: sizeError(p, f.args[i])})
			}
		}
	}
	hint := "main"
	if !f.own() {
		hint = "that of the benchmark"
	}
	if c.Field(row("Goal", "The query that starts the program"), "goal", &f.goal, ui.FieldLook{Hint: hint, Code: true}).Done {
		a.startForm(false)
	}
	c.Field(row("PEs", "Processing elements"), "pes", &f.pes, ui.FieldLook{Error: countError(f.pes, 1, experiment.MaxPEs)})
	item := func(name, what string, items []experiment.Item, labels []string, at *int) {
		tip := what
		if i := *at - (len(labels) - len(items)); i >= 0 && i < len(items) {
			tip = items[i].Name + ": " + items[i].Doc
		}
		c.Dropdown(row(name, tip), what, labels, at)
	}
	item("Policy", "policy", experiment.Policies(), names(experiment.Policies()), &f.policy)
	item("Machine", "machine", experiment.Machines(), names(experiment.Machines()), &f.machine)
	item("Network", "network", experiment.Networks(), networkNames(), &f.network)
	c.Field(row("Seed", "The same seed gives the same run"), "seed", &f.seed, ui.FieldLook{Error: countError(f.seed, 0, 1<<63-1)})
}

func sizeError(p benchmarks.Param, s string) string { return countError(s, p.Min, p.Max) }

// countError says what is wrong with a number, "" for nothing.
func countError(s string, least, most int64) string {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < least || most > least && n > most {
		return "a whole number from " + experiment.Grouped(least) + " to " + experiment.Grouped(most)
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
	a.form.name = p.File
	a.form.goal = p.Goal(sizes)
}

// startForm starts what the form describes; paused, it stands at the first reduction.
func (a *App) startForm(paused bool) {
	r, err := a.form.run(a.program.Text())
	if err != nil {
		a.fail(err)
		return
	}
	d := a.begin(r, "")
	if d != nil && paused {
		a.command(d, Command{Do: StepTo, N: 0})
		a.stateOpen = true
	}
}

// checkProgram finds what is wrong with the user's own text whenever it has changed.
func (a *App) checkProgram() {
	f := &a.form
	text := a.program.Text()
	if text == f.checked {
		return
	}
	f.checked, f.problem = text, nil
	var wrong *experiment.SourceError
	if err := experiment.CheckText(f.name, text); errors.As(err, &wrong) {
		for _, e := range wrong.Errors {
			text, how := e.Msg, ui.Failure
			if e.Want != "" {
				text += "; expected " + e.Want
			}
			if e.Severity == syntax.Warning {
				how = ui.Warning
			}
			f.problem = append(f.problem, problem{int(e.Pos.Line) - 1, int(e.Pos.Column) - 1, text, how})
		}
	}
}

// dialogs draws what lies over the window.
func (a *App) dialogs(c *ui.Context) {
	blocks := a.helpBlocks()
	h := float32(0)
	for _, b := range blocks {
		h += float32(len(b.lines)+2) * 22
	}
	c.Dialog("help", &a.help, ui.Dialog{Title: "Keys", W: 1060, H: max(h/3+80, 320)}, func(r ui.Rect) { a.helpColumns(c, r, blocks) })
	a.compareDialog(c)
	a.noteDialog(c)
	a.placingDialog(c)
	a.drawMenu(c)
}
