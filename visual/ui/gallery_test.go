package ui

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/visual/backend/raster"
	"whorl/visual/edit"
	"whorl/visual/icon"
	"whorl/visual/scene"
)

// gallery is a window with every widget in it.
type gallery struct {
	tab, segment, policy, row int
	procedure                 int
	split, lower              float32
	name, bad, find           string
	on, off, ticked, unticked bool
	pes, at                   float64
	doc                       *edit.Buffer
	dialog                    bool
	seed                      string
	ran, items                int
	tabs                      []Tab
	log                       []string
}

func newGallery() *gallery {
	return &gallery{
		split: 0.44, lower: 0.52, name: "pascal.fghc", bad: "5o", on: true, ticked: true, pes: 5, at: 31.4, row: 2, segment: 1,
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

func (g *gallery) frame(c *Context) {
	c.Fill(c.Window(), c.Theme.Surface)
	r := c.Window()
	g.toolbar(c, c.Bar(r.CutTop(c.Px(44))))
	status := r.CutBottom(c.Px(28))
	c.Fill(Rect{status.X0, status.Y0, status.X1, status.Y0 + c.Hair()}, c.Theme.Line)
	c.Message(status.Inset(c.Px(Gap), 0), Warning, "pascal.fghc, line 12: a period is missing; the last run is shown")
	left, right := c.Splitter(r, "split", &g.split, Split{First: 260, Other: 300})
	c.Scroll(c.Panel(left, "Run"), "controls", c.Px(560), func(r Rect) { g.controls(c, r.Inset(c.Px(Pad), c.Px(Pad))) })
	res := c.Tabs(right.CutTop(c.Px(Bar)), "tabs", g.tabs, g.tab)
	g.tab = res.Active
	upper, lower := c.Splitter(right, "lower", &g.lower, Split{Rows: true, First: 100, Other: 100})
	c.Edit(upper, "source", g.doc, Editor{
		Color: colours(c.Theme), Opens: []string{"|", "(", "["},
		Problems: []Problem{{Line: 11, From: 34, To: 36, Severity: Failure, Text: "expected . or , after the goal"}, {Line: 9, From: 21, To: 28, Severity: Warning, Text: "only 5 PEs"}},
	})
	c.List(lower, "procedures", textRows(c, 200, func(i int) string { return procedures[i%len(procedures)] }), &g.procedure)
	if g.dialog {
		g.askAgain(c)
	}
	if c.Shortcut(Control, "o") {
		g.log = append(g.log, "open")
	}
}

func colours(th Theme) func(int, string) []Span {
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

func (g *gallery) toolbar(c *Context, r Rect) {
	c.Scope("bar")
	defer c.Unscope()
	button := func(b Press, name string) bool {
		res := c.Button(r.CutLeft(c.Width(b)), name, b)
		r.CutLeft(c.Px(4))
		return res
	}
	if button(Press{Label: "Run", Icon: icon.Play, Look: Primary, Tip: "Run the program (Control+Enter)"}, "run") {
		g.ran++
	}
	button(Press{Icon: icon.Pause, Look: Quiet, Tip: "Pause"}, "pause")
	button(Press{Icon: icon.Step, Look: Quiet, Tip: "One reduction more"}, "step")
	c.Disabled = true
	button(Press{Icon: icon.Back, Look: Quiet, Tip: "One reduction back"}, "back")
	c.Disabled = false
	c.Separator(r.CutLeft(c.Px(9)))
	r.CutLeft(c.Px(4))
	button(Press{Label: "Link", Icon: icon.Link, On: true, Look: Quiet}, "link")
	if g.items = c.MenuButton(r.CutLeft(c.Width(Press{Label: "View"})), "view", Press{Label: "View", Look: Quiet}, viewMenu); g.items >= 0 {
		g.log = append(g.log, viewMenu[g.items].Label)
	}
	find := r.CutRight(c.Px(180))
	c.Field(find, "find", &g.find, FieldLook{Hint: "Find a procedure", Icon: icon.Search})
	r.CutRight(c.Px(8))
	c.Segments(r.CutRight(c.Px(220)), "colour", []string{"PE", "Time", "Code"}, &g.segment)
	r.CutRight(c.Px(8))
	c.IconButton(r.CutRight(c.Px(Ctl)), "theme", icon.Moon, "Dark")
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

func (g *gallery) controls(c *Context, r Rect) {
	row := func(label string, h float32) Rect {
		line := r.CutTop(c.Px(h))
		r.CutTop(c.Px(Gap))
		name := line.CutLeft(min(c.Px(88), line.W()/3))
		c.Label(Rect{name.X0, name.Y0, name.X1, min(name.Y0+c.Px(Ctl), name.Y1)}, label, Type{Color: c.Theme.Muted})
		return line
	}
	c.Field(row("Program", Ctl), "program", &g.name, FieldLook{Code: true})
	c.Dropdown(row("Policy", Ctl), "policy", []string{"random", "on-demand", "round robin", "neighbours", "static blocks by level"}, &g.policy)
	c.Slider(row("PEs", Ctl), "pes", &g.pes, Range{Min: 1, Max: 16, Step: 1, Format: func(v float64) string { return fmt.Sprintf("%.0f PEs", v) }})
	c.Field(row("Seed", Ctl), "bad", &g.bad, FieldLook{Error: "a whole number, such as 1989"})
	c.Slider(row("Time", Ctl), "time", &g.at, Range{Max: 100})
	c.Toggle(row("Trace", Ctl), "on", "Record messages", &g.on)
	c.Toggle(row("", Ctl), "off", "Record suspensions", &g.off)
	c.Check(row("Check", Ctl), "ticked", "Against the reference", &g.ticked)
	c.Check(row("", Ctl), "unticked", "Stop at the first difference", &g.unticked)
	buttons := row("", Ctl).Columns(c.Px(Gap), 0, 0, 0)
	button(c, buttons[0], "again", "Run again")
	c.Disabled = true
	button(c, buttons[1], "stop", "Stop")
	c.Disabled = false
	if button(c, buttons[2], "discard", "Discard") {
		g.dialog = true
	}
	c.List(r, "runs", textRows(c, 1000, func(i int) string { return fmt.Sprintf("Run %d on %d PEs", i+1, 1<<(i%5)) }), &g.row)
}

func (g *gallery) askAgain(c *Context) {
	n := c.ShowDialog("ask", &g.dialog, Dialog{Title: "Run again", W: 360, H: 100, Buttons: []string{"Cancel", "Run"}}, func(r Rect) {
		c.Paragraph(r.CutTop(c.Px(44)), "The run is repeated with another seed; everything else stays as it is, so that the two can be compared.", Type{})
		r.CutTop(c.Px(Gap))
		line := r.CutTop(c.Px(Ctl))
		c.Label(line.CutLeft(c.Px(56)), "Seed", Type{Color: c.Theme.Muted})
		c.Field(line, "seed", &g.seed, FieldLook{First: true})
	})
	if n >= 0 {
		g.dialog = false
		g.log = append(g.log, [...]string{"cancel", "run"}[n])
	}
}

func newGalleryUser(t *testing.T, dark bool, scale float32) (*user, *gallery) {
	g := newGallery()
	u := &user{t: t, in: Input{W: 1100 * scale, H: 720 * scale, Scale: scale}, dark: dark, frame: g.frame}
	u.run()
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
			u.click("source")
			u.click("bar/view")
			u.keys("ArrowDown")
			u.st.Notify(Success, "Saved as pascal.whorl")
			u.st.Notify(Failure, "The file pascal.whorl ends in the middle of a block: 1,204 events could be read, and what came after is lost.")
			u.run()
			picture(u, dir, name+"-menu")
			u.keys("Escape")
			u.click("policy")
			u.keys("ArrowDown")
			picture(u, dir, name+"-dropdown")
			u.keys("Escape")
			u.wait(time.Minute) // the success goes, the failure stays
			u.st.Focus(Name("again"))
			x, y := u.mid("bar/step")
			u.move(x, y)
			u.wait(time.Second)
			picture(u, dir, name+"-tip")
			u.click("source")
			g.doc.Select(edit.Pos{Line: 5, Col: 4}, edit.Pos{Line: 7, Col: 5})
			u.st.Focus(Name("tabs/t"))
			u.run()
			picture(u, dir, name+"-selection")
			g.dialog = true
			u.run()
			picture(u, dir, name+"-dialog")
			g.dialog = false
			u.in.W, u.in.H = 640*scale, 420*scale
			u.click("source")
			picture(u, dir, name+"-small")
		}
	}
}

func picture(u *user, dir, name string) {
	u.t.Helper()
	f, err := os.Create(filepath.Join(dir, name+".png"))
	if err != nil {
		u.t.Fatal(err)
	}
	defer f.Close()
	l := scene.New(u.in.W, u.in.H)
	l.Append(&u.base)
	l.Append(&u.over)
	b := bufio.NewWriter(f)
	if err := raster.WritePNG(b, raster.New(letters).Picture(l, 1)); err != nil {
		u.t.Fatal(err)
	}
	if err := b.Flush(); err != nil {
		u.t.Fatal(err)
	}
}
