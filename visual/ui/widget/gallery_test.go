package widget

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/visual/backend/raster"
	"whorl/visual/edit"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// gallery is a window with every widget in it.
type gallery struct {
	tab, segment, policy, row int
	procedure                 int
	split, lower              float32
	name, bad, find           string
	on, off, ticked, unticked bool
	pes, threshold            float64
	doc                       *edit.Buffer
	dialog                    bool
	seed                      string
	ran, items                int
	tabs                      []Tab
	log                       []string
}

func newGallery() *gallery {
	return &gallery{
		split: 0.44, lower: 0.52, name: "pascal.fghc", bad: "5o", on: true, ticked: true, pes: 5, threshold: 31.4, row: 2, segment: 1,
		seed: "1989", policy: 1,
		doc: newBuffer(program),
		tabs: []Tab{
			{ID: "k", Title: "Kaleidoscope", Icon: icon.Wheel, Keys: true},
			{ID: "t", Title: "Timeline", Icon: icon.Chart},
			{ID: "s", Title: "pascal.fghc", Icon: icon.Code, Dirty: true},
			{ID: "m", Title: "Measures", Icon: icon.Table},
		},
	}
}

const program = `% The rows of Pascal's triangle.
pascal(N, Rows) :- true |
	rows(N, [1], Rows).

rows(0, _, Rows) :- true | Rows = [].
rows(N, Row, Rows) :- N > 0 |
	Rows = [Row|Rest],
	next([0|Row], Next),
	M := N - 1,
	rows(M, Next, Rest)@node(M).

next([X], Next) :- true | Next = [X]
next([X, Y|Xs], Next) :- true |
	Z := X + Y,
	Next = [Z|Zs],
	next([Y|Xs], Zs).
`

var procedures = []string{"pascal/2", "rows/3", "next/2", ":=/2", "output/2, a name that is far too long for its column"}

func (g *gallery) frame(c *ui.Context) {
	c.Fill(c.Window(), c.Theme.Surface)
	r := c.Window()
	c.PlaceMessage(ui.Rect{}, &r)
	g.toolbar(c, Bar(c, r.CutTop(c.Px(44))))
	status := r.CutBottom(c.Px(28))
	c.Fill(ui.Rect{X0: status.X0, Y0: status.Y0, X1: status.X1, Y1: status.Y0 + c.Hair()}, c.Theme.Line)
	Message(c, status.Inset(c.Px(ui.Gap), 0), ui.Warning, "pascal.fghc, line 12: a period is missing; the last run is shown")
	left, right := Splitter(c, r, "split", &g.split, SplitterOptions{First: 260, Other: 300})
	c.Scroll(Panel(c, left, "Run"), "controls", c.Px(560), func(r ui.Rect) { g.controls(c, r.Inset(c.Px(ui.Pad), c.Px(ui.Pad))) })
	res := Tabs(c, right.CutTop(c.Px(ui.Bar)), "tabs", g.tabs, g.tab)
	g.tab = res.Active
	upper, lower := Splitter(c, right, "lower", &g.lower, SplitterOptions{Rows: true, First: 100, Other: 100})
	Editor(c, upper, "source", g.doc, EditorOptions{
		Color: colours(c.Theme), Opens: []string{"|", "(", "["},
		Problems: []Problem{{Line: 11, From: 34, To: 36, Severity: ui.Failure, Text: "expected . or , after the goal"}, {Line: 9, From: 21, To: 28, Severity: ui.Warning, Text: "only 5 PEs"}},
	})
	List(c, lower, "procedures", textRows(c, 200, func(i int) string { return procedures[i%len(procedures)] }), &g.procedure)
	if g.dialog {
		g.askAgain(c)
	}
	if c.Shortcut(ui.Control, "o") {
		g.log = append(g.log, "open")
	}
}

func colours(th ui.Theme) func(int, string) []Span {
	return func(_ int, s string) []Span {
		var spans []Span
		if i := strings.IndexByte(s, '%'); i >= 0 {
			return []Span{{From: i, To: len(s), Color: th.Muted}}
		}
		for i := 0; i < len(s); i++ {
			j := i
			for j < len(s) && (s[j] >= 'A' && s[j] <= 'Z' || j > i && s[j] >= 'a' && s[j] <= 'z') {
				j++
			}
			if j > i && (i == 0 || !(s[i-1] >= 'a' && s[i-1] <= 'z')) {
				spans = append(spans, Span{From: i, To: j, Color: th.Link})
				i = j - 1
			}
		}
		return spans
	}
}

func (g *gallery) toolbar(c *ui.Context, r ui.Rect) {
	c.Scope("bar")
	defer c.Unscope()
	button := func(b ButtonOptions, name string) bool {
		res := Button(c, r.CutLeft(ButtonWidth(c, b)), name, b)
		r.CutLeft(c.Px(4))
		return res
	}
	if button(ButtonOptions{Label: "Run", Icon: icon.Play, Look: Primary, Tip: "Run the program (Control+Enter)"}, "run") {
		g.ran++
	}
	button(ButtonOptions{Icon: icon.Pause, Look: Quiet, Tip: "Pause"}, "pause")
	button(ButtonOptions{Icon: icon.Step, Look: Quiet, Tip: "One reduction more"}, "step")
	c.Disabled = true
	button(ButtonOptions{Icon: icon.Back, Look: Quiet, Tip: "One reduction back"}, "back")
	c.Disabled = false
	Separator(c, r.CutLeft(c.Px(9)))
	r.CutLeft(c.Px(4))
	button(ButtonOptions{Label: "Link", Icon: icon.Link, On: true, Look: Quiet}, "link")
	if g.items = MenuButton(c, r.CutLeft(ButtonWidth(c, ButtonOptions{Label: "View"})), "view", ButtonOptions{Label: "View", Look: Quiet}, viewMenu); g.items >= 0 {
		g.log = append(g.log, viewMenu[g.items].Label)
	}
	find := r.CutRight(c.Px(180))
	Field(c, find, "find", &g.find, FieldOptions{Hint: "Find a procedure", Icon: icon.Search})
	r.CutRight(c.Px(8))
	Segments(c, r.CutRight(c.Px(220)), "colour", []string{"PE", "Time", "Code"}, &g.segment)
	r.CutRight(c.Px(8))
	IconButton(c, r.CutRight(c.Px(ui.Ctl)), "theme", icon.Moon, "Dark")
}

var viewMenu = []Item{
	{Label: "Split to the right", Icon: icon.Columns, Keys: "Ctrl+\\"},
	{Label: "Split below", Icon: icon.Rows},
	{},
	{Label: "Show the legend", Check: true, Keys: "L"},
	{Label: "Show levels", Keys: "V"},
	{Label: "Compare with another run", Icon: icon.Compare, Off: true},
	{},
	{Label: "Fit to the window", Icon: icon.Fit, Keys: "0"},
}

func (g *gallery) controls(c *ui.Context, r ui.Rect) {
	row := func(label string, h float32) ui.Rect {
		line := r.CutTop(c.Px(h))
		r.CutTop(c.Px(ui.Gap))
		name := line.CutLeft(min(c.Px(88), line.W()/3))
		c.Label(ui.Rect{X0: name.X0, Y0: name.Y0, X1: name.X1, Y1: min(name.Y0+c.Px(ui.Ctl), name.Y1)}, label, ui.Type{Color: c.Theme.Muted})
		return line
	}
	Field(c, row("Program", ui.Ctl), "program", &g.name, FieldOptions{Code: true})
	Dropdown(c, row("Policy", ui.Ctl), "policy", []string{"random", "on-demand", "round robin", "neighbours", "static blocks by level"}, &g.policy)
	Slider(c, row("PEs", ui.Ctl), "pes", &g.pes, SliderOptions{Range: Range{Min: 1, Max: 16, Step: 1}, Format: func(v float64) string { return fmt.Sprintf("%.0f PEs", v) }})
	Field(c, row("Seed", ui.Ctl), "bad", &g.bad, FieldOptions{Error: "a whole number, such as 1989"})
	Slider(c, row("Time", ui.Ctl), "time", &g.threshold, SliderOptions{Range: Range{Max: 100}})
	Toggle(c, row("Trace", ui.Ctl), "on", "Record messages", &g.on)
	Toggle(c, row("", ui.Ctl), "off", "Record suspensions", &g.off)
	Check(c, row("Check", ui.Ctl), "ticked", "Against the reference", &g.ticked)
	Check(c, row("", ui.Ctl), "unticked", "Stop at the first difference", &g.unticked)
	buttons := row("", ui.Ctl).Columns(c.Px(ui.Gap), 0, 0, 0)
	button(c, buttons[0], "again", "Run again")
	c.Disabled = true
	button(c, buttons[1], "stop", "Stop")
	c.Disabled = false
	if button(c, buttons[2], "discard", "Discard") {
		g.dialog = true
	}
	List(c, r, "runs", textRows(c, 1000, func(i int) string { return fmt.Sprintf("Run %d on %d PEs", i+1, 1<<(i%5)) }), &g.row)
}

func (g *gallery) askAgain(c *ui.Context) {
	n := Dialog(c, "ask", &g.dialog, DialogOptions{Title: "Run again", W: 360, H: 100, Buttons: []string{"Cancel", "Run"}}, func(r ui.Rect) {
		c.Paragraph(r.CutTop(c.Px(44)), "The run is repeated with another seed; everything else stays as it is, so that the two can be compared.", ui.Type{})
		r.CutTop(c.Px(ui.Gap))
		line := r.CutTop(c.Px(ui.Ctl))
		c.Label(line.CutLeft(c.Px(56)), "Seed", ui.Type{Color: c.Theme.Muted})
		Field(c, line, "seed", &g.seed, FieldOptions{First: true})
	})
	if n >= 0 {
		g.dialog = false
		g.log = append(g.log, [...]string{"cancel", "run"}[n])
	}
}

func newGalleryUser(t *testing.T, dark bool, scale float32) (*usertest.User, *gallery) {
	g := newGallery()
	u := &usertest.User{TB: t, In: ui.Input{W: 1100 * scale, H: 720 * scale, Scale: scale}, Dark: dark, Frame: g.frame}
	u.Run()
	return u, g
}

// TestGallery draws pictures of all widgets. It keeps them in the folder that WHORL_PICTURES names.
func TestGallery(t *testing.T) {
	dir := os.Getenv("WHORL_PICTURES")
	if dir == "" {
		dir = t.TempDir()
	}
	for _, dark := range []bool{false, true} {
		for _, scale := range []float32{1, 2} {
			name := fmt.Sprintf("ui-%s-%gx", map[bool]string{false: "light", true: "dark"}[dark], scale)
			u, g := newGalleryUser(t, dark, scale)
			picture(u, dir, name)
			u.ClickOn("source")
			u.ClickOn("bar/view")
			u.Keys("ArrowDown")
			u.Widgets.Notify(ui.Success, "", "Saved as pascal.whorl")
			u.Widgets.Notify(ui.Failure, "", "The file pascal.whorl ends in the middle of a block: 1,204 events could be read, and what came after is lost.")
			u.Run()
			picture(u, dir, name+"-menu")
			u.Keys("Escape")
			u.ClickOn("policy")
			u.Keys("ArrowDown")
			picture(u, dir, name+"-dropdown")
			u.Keys("Escape")
			u.Wait(time.Minute) // the success goes, the failure stays
			u.Widgets.Focus(usertest.Name("again"))
			x, y := u.Mid("bar/step")
			u.Move(x, y)
			u.Wait(time.Second)
			picture(u, dir, name+"-tip")
			u.ClickOn("source")
			g.doc.Select(edit.Pos{Line: 5, Col: 4}, edit.Pos{Line: 7, Col: 5})
			u.Widgets.Focus(usertest.Name("tabs/t"))
			u.Run()
			picture(u, dir, name+"-selection")
			g.dialog = true
			u.Run()
			picture(u, dir, name+"-dialog")
			g.dialog = false
			u.In.W, u.In.H = 640*scale, 420*scale
			u.ClickOn("source")
			picture(u, dir, name+"-small")
		}
	}
}

func picture(u *usertest.User, dir, name string) {
	u.Helper()
	f := must.Get(os.Create(filepath.Join(dir, name+".png")))(u)
	defer f.Close()
	l := scene.New(u.In.W, u.In.H)
	l.Append(&u.Base)
	l.Append(&u.Over)
	b := bufio.NewWriter(f)
	must.Do(u, raster.WritePNG(b, raster.New(letters).Picture(l, 1), 0))
	must.Do(u, b.Flush())
}
