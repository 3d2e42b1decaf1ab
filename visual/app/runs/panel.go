package runs

import (
	"strconv"
	"strings"

	"whorl/benchmarks"
	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// A Panel is the panel on the left that describes a run.
type Panel struct {
	Open    bool
	Program Program // the user's own
	form    form
}

// NewPanel returns a closed panel with the first benchmark.
func NewPanel() Panel {
	return Panel{form: newForm(firstProgram), Program: Program{Name: "program.fghc"}}
}

// Run returns the run that the form describes.
func (p *Panel) Run() (experiment.Run, error) { return p.form.run(&p.Program) }

// Choose fills the form with a benchmark and its defaults.
func (p *Panel) Choose(benchmark string) { p.form = newForm(benchmark) }

// Edit opens a text as the user's own program.
func (p *Panel) Edit(name, text string) {
	p.form.program = len(benchmarks.All)
	p.Program.Name = name
	p.Program.SetText(text)
	p.Open = true
}

// Fill opens a run of a program that the user can edit.
func (p *Panel) Fill(r experiment.Run) {
	p.form.fill(r)
	p.Edit(r.Program, r.Text)
}

// Draw draws the panel, cut off the left side of r. The tip of its button for closing names a key.
func (p *Panel) Draw(c *ui.Context, r *ui.Rect, key string) (asks Request) {
	own := p.form.own()
	width := c.Px(300)
	if own {
		width = max(width, min(c.Px(680), r.W()*0.45))
	}
	panel := widget.Aside(c, r, width, (*ui.Rect).CutLeft)
	edge := panel.CutRight(c.Hair())
	c.Fill(edge, c.Theme.Line)
	c.Scope("run panel")
	defer c.Unscope()
	in := widget.Panel(c, panel, "Run a program")
	if widget.CloseButton(c, panel, "Close this panel ("+key+")") {
		p.Open = false
	}
	in = in.Inset(c.Px(ui.Pad), 0)
	in.CutTop(c.Px(ui.Pad))
	foot := in
	foot.Y0 = in.CutBottom(c.Px(c.Theme.Ctl + ui.Pad)).Y0
	in.CutBottom(c.Px(ui.Pad))
	rows := formRows{c: c, panel: p}
	height := rows.draw(in, false)
	form := in
	if own {
		form = in.CutTop(min(height, max(in.H()-c.Px(120), 0))) // the editor keeps a few lines
		asks = p.drawProgram(c, in)
	} else if height < in.H() { // the buttons follow the form
		foot = foot.Move(0, height-in.H()-c.Px(4))
		form.Y1 = form.Y0 + height
	}
	c.Scroll(form, "form", height, func(r ui.Rect) { rows.draw(r, true) })
	asks.Run = asks.Run || rows.done
	if rows.save {
		asks.Save = &p.Program
	}
	foot.Y1 = min(foot.Y0+c.Px(c.Theme.Ctl), foot.Y1)
	run := widget.ButtonOptions{Label: "Run", Icon: icon.Play, Look: widget.Primary, Tip: "Start the program and watch its trace grow"}
	if own {
		run.Tip += " (Ctrl+Enter)"
	}
	if widget.Button(c, foot.CutLeft(widget.ButtonWidth(c, run)), "start", run) {
		asks.Run = true
	}
	foot.CutLeft(c.Px(ui.Gap))
	step := widget.ButtonOptions{Label: "Step", Icon: icon.Step, Tip: "Start the program paused, to go reduction by reduction"}
	if widget.Button(c, foot.CutLeft(widget.ButtonWidth(c, step)), "paused", step) {
		asks.Run, asks.Paused = true, true
	}
	return asks
}

// drawProgram draws the editor of the user's own program.
func (p *Panel) drawProgram(c *ui.Context, r ui.Rect) Request {
	c.Box(r, c.Px(ui.Corner), c.Theme.Ground, c.Theme.Border)
	box := r.Inset(c.Px(1), c.Px(1))
	foot := box.CutBottom(min(c.Px(c.Theme.Bar), box.H()/3))
	asks := p.Program.edit(c, box)
	c.Fill(ui.Rect{X0: foot.X0, Y0: foot.Y0, X1: foot.X1, Y1: foot.Y0 + c.Hair()}, c.Theme.Line)
	p.Program.drawVerdict(c, foot.Inset(c.Px(ui.Gap), 0))
	return asks
}

// formRows draws the rows of a form. Short fields stand two to a row where there is room.
type formRows struct {
	c     *ui.Context
	panel *Panel
	show  bool // false only measures
	rest  ui.Rect
	half  ui.Rect // the right half of the last row while it is free
	pairs bool
	done  bool // Enter was pressed in a field
	save  bool // the button that saves the program was pressed
}

// cell draws the name of a field and returns the place of its control.
func (f *formRows) cell(r ui.Rect, name, tip string) ui.Rect {
	r.CutBottom(f.c.Px(8))
	left := r.CutLeft(f.c.Px(76))
	f.c.Label(left, name, ui.Type{Color: f.c.Theme.Muted})
	f.c.Tip(left, tip)
	return r
}

// row draws a field in a row of its own.
func (f *formRows) row(name, tip string, draw func(ui.Rect)) {
	f.half = ui.Rect{}
	if r := f.rest.CutTop(f.c.Px(f.c.Theme.Ctl + 8)); f.show {
		draw(f.cell(r, name, tip))
	}
}

// short draws a field in half a row.
func (f *formRows) short(name, tip string, draw func(ui.Rect)) {
	r := f.half
	if f.half = (ui.Rect{}); r.Empty() {
		if r = f.rest.CutTop(f.c.Px(f.c.Theme.Ctl + 8)); f.pairs {
			cells := r.Columns(f.c.Px(ui.Pad), 0, 0)
			r, f.half = cells[0], cells[1]
		}
	}
	if f.show {
		draw(f.cell(r, name, tip))
	}
}

func (f *formRows) field(name string, text *string, o widget.FieldOptions) func(ui.Rect) {
	return func(r ui.Rect) { f.done = widget.Field(f.c, r, name, text, o).Done || f.done }
}

// item draws the choice of an item; labels may begin with one that is no item.
func (f *formRows) item(name string, items []experiment.Item, labels []string, chosen *int) {
	tip := name
	if i := *chosen - (len(labels) - len(items)); i >= 0 && i < len(items) {
		tip = items[i].Name + ": " + items[i].Doc
	}
	f.short(name, tip, func(r ui.Rect) { widget.Dropdown(f.c, r, strings.ToLower(name), labels, chosen) })
}

// draw draws the form into r if show is set, and returns its height.
func (f *formRows) draw(r ui.Rect, show bool) float32 {
	c, form := f.c, &f.panel.form
	f.show, f.rest, f.pairs, f.half = show, r, r.W() >= c.Px(400), ui.Rect{}
	f.rest.Y1 = max(r.Y1, r.Y0+c.Px(4000)) // room for everything while it is measured
	f.row("Program", "One of the benchmarks, or a text of your own", func(r ui.Rect) { f.panel.drawChoice(c, r) })
	hint := "the benchmark's own goal"
	if form.own() {
		hint = "main(X)"
		f.row("Name", "The name of the program in errors and saved files", func(r ui.Rect) {
			if widget.IconButton(c, r.CutRight(c.Px(c.Theme.Ctl)), "save program", icon.Save, "Save the program as a file (Ctrl+S)") {
				f.save = true
			}
			r.CutRight(c.Px(4))
			widget.Field(c, r, "name", &f.panel.Program.Name, widget.FieldOptions{})
		})
	} else {
		b, ty := benchmarks.All[form.program], ui.Type{Size: ui.Small, Color: c.Theme.Muted}
		text := f.rest.CutTop(c.ParagraphHeight(r.W(), b.Doc, ty) + c.Px(12))
		if show {
			c.Paragraph(text.Inset(0, c.Px(2)), b.Doc, ty)
		}
		for i, p := range b.Params {
			if i < len(form.args) {
				options := widget.FieldOptions{Error: countError(form.args[i], p.Min, p.Max)}
				f.short(p.Name, p.Doc, f.field("size "+p.Name, &form.args[i], options))
			}
		}
	}
	if form.takesGoal() {
		f.row("Goal", "The query that starts the program", f.field("goal", &form.goal, widget.FieldOptions{Hint: hint, Code: true}))
	}
	f.short("PEs", "Processing elements", f.field("pes", &form.pes, widget.FieldOptions{Error: countError(form.pes, 1, experiment.MaxPEs)}))
	f.short("Seed", "The same seed gives the same run", f.field("seed", &form.seed, widget.FieldOptions{Error: countError(form.seed, 0, 1<<63-1)}))
	f.item("Policy", form.policies(), names(form.policies()), &form.policy)
	f.item("Machine", form.machines(), names(form.machines()), &form.machine)
	f.item("Network", experiment.Networks(), networkNames(), &form.network)
	return f.rest.Y0 - r.Y0
}

// drawChoice draws the choice of the program.
func (p *Panel) drawChoice(c *ui.Context, r ui.Rect) {
	f := &p.form
	if was := f.program; widget.Dropdown(c, r, "program", programNames(), &f.program) && was != f.program {
		p.changed(was)
		c.Again()
	}
}

// Own opens the panel for the user's own program.
func (p *Panel) Own() {
	was := p.form.program
	p.form.program, p.Open = len(benchmarks.All), true
	p.changed(was)
}

// changed fills the form for a program that was chosen after another.
func (p *Panel) changed(was int) {
	f := &p.form
	f.goal = ""
	if f.own() && was < len(benchmarks.All) {
		p.startFrom(was)
	}
	f.args = f.defaults()
}

// countError describes the numbers that a field expects if its text is none of them, "" for a valid number.
func countError(s string, least, most int64) string {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < least || most > least && n > most {
		return "a whole number from " + figures.Count(least) + " to " + figures.Count(most)
	}
	return ""
}

// startFrom makes a benchmark's program the user's own, if that is empty.
func (p *Panel) startFrom(benchmark int) {
	b := benchmarks.All[benchmark]
	source, ok := b.Program.(benchmarks.FGHC)
	if !ok || p.Program.Text() != "" {
		return
	}
	sizes, err := b.Sizes(p.form.args)
	if err != nil {
		sizes = b.Defaults()
	}
	p.Program.SetText(source.Source)
	p.Program.Name = source.File
	p.form.goal = source.Goal(sizes)
}
