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
	"whorl/visual/icon"
	"whorl/visual/scene"
)

// gallery is a window with every widget in it.
type gallery struct {
	tab, segment, policy, row int
	split, lower              float32
	name, bad, find           string
	on, off, ticked, unticked bool
	pes, at                   float64
	doc                       *Document
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
		doc: NewDocument(program),
		tabs: []Tab{
			{ID: "k", Title: "Kaleidoscope", Icon: icon.Wheel, Keys: true},
			{ID: "t", Title: "Timeline", Icon: icon.Chart},
			{ID: "s", Title: "pascal.fghc", Icon: icon.Code, Dirty: true},
			{ID: "m", Title: "Measures", Icon: icon.Table, Fixed: true},
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

var procedures = []struct {
	name         string
	reductions   int
	suspensions  int
	share, level float64
}{
	{"pascal/2", 1, 0, 0.0, 0},
	{"rows/3", 41, 3, 1.2, 20.5},
	{"next/2", 1682, 790, 87.6, 24.1},
	{":=/2", 861, 12, 11.1, 25.9},
	{"output/2, a name that is far too long for its column", 12, 0, 0.1, 2},
}

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
		Lit:      []Lit{{From: Pos{6, 1}, To: Pos{6, 18}, Color: c.Theme.Soft}},
	})
	c.Table(lower, "procedures", procedureTable(200))
	if g.dialog {
		g.askAgain(c)
	}
	if c.Shortcut(Control, "o") {
		g.log = append(g.log, "open")
	}
}

func procedureTable(n int) Table {
	less := func(col, a, b int) bool {
		p, q := procedures[a%5], procedures[b%5]
		switch col {
		case 1:
			return p.reductions < q.reductions
		case 2:
			return p.suspensions < q.suspensions
		case 3:
			return p.share < q.share
		}
		return p.name < q.name
	}
	return Table{
		Columns: []Column{
			{Title: "Procedure", Width: 140, Share: 1},
			{Title: "Reductions", Number: true, Doc: "How often one of its clauses was chosen"},
			{Title: "Suspensions", Number: true},
			{Title: "Share", Number: true},
			{Title: "Level", Number: true},
		},
		Rows: n, Less: less,
		Cell: func(row, col int) string {
			p := procedures[row%5]
			return [...]string{p.name, fmt.Sprint(p.reductions), fmt.Sprint(p.suspensions), fmt.Sprintf("%.1f %%", p.share), fmt.Sprintf("%.1f", p.level)}[col]
		},
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
		res := c.Press(r.CutLeft(c.Width(b)), name, b)
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
	if g.items = c.MenuButton(r.CutLeft(c.Width(Press{Label: "View", Menu: true})), "view", Press{Label: "View", Look: Quiet}, viewMenu); g.items >= 0 {
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
	c.Slider(row("PEs", 36), "pes", &g.pes, Range{Min: 1, Max: 16, Step: 1, Ticks: []Tick{{1, "1"}, {4, "4"}, {8, "8"}, {12, "12"}, {16, "16"}}, Format: func(v float64) string { return fmt.Sprintf("%.0f PEs", v) }})
	c.Field(row("Seed", Ctl), "bad", &g.bad, FieldLook{Error: "a whole number, such as 1989"})
	c.Slider(row("Time", 36), "time", &g.at, Range{Max: 100, Marks: []float64{12, 48, 71}, Ticks: []Tick{{0, "0"}, {25, "25 ms"}, {50, "50 ms"}, {75, "75 ms"}, {100, "100 ms"}}})
	c.Toggle(row("Trace", Ctl), "on", "Record messages", &g.on)
	c.Toggle(row("", Ctl), "off", "Record suspensions", &g.off)
	c.Check(row("Check", Ctl), "ticked", "Against the reference", &g.ticked)
	c.Check(row("", Ctl), "unticked", "Stop at the first difference", &g.unticked)
	c.Progress(row("Done", Ctl), 0.62)
	buttons := row("", Ctl).Columns(c.Px(Gap), Flex(1), Flex(1), Flex(1))
	c.Button(buttons[0], "again", "Run again")
	c.Disabled = true
	c.Button(buttons[1], "stop", "Stop")
	c.Disabled = false
	if c.Press(buttons[2], "discard", Press{Label: "Discard", Look: Risky}) {
		g.dialog = true
	}
	c.List(r, "runs", Rows{N: 1000, Text: func(i int) string { return fmt.Sprintf("Run %d on %d PEs", i+1, 1<<(i%5)) }}, &g.row)
}

func (g *gallery) askAgain(c *Context) {
	n := c.Dialog("ask", &g.dialog, Dialog{Title: "Run again", W: 360, H: 100, Buttons: []string{"Cancel", "Run"}}, func(r Rect) {
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

// TestGallery writes pictures of all widgets into a folder named by WHORL_PICTURES, to be looked at.
func TestGallery(t *testing.T) {
	dir := os.Getenv("WHORL_PICTURES")
	if dir == "" {
		dir = t.TempDir()
	}
	for _, dark := range []bool{false, true} {
		for _, scale := range []float32{1, 2} {
			name := fmt.Sprintf("ui-%s-%gx", map[bool]string{false: "light", true: "dark"}[dark], scale)
			u, g := newGalleryUser(t, dark, scale)
			u.picture(dir, name)
			u.click("source")
			u.click("bar/view")
			u.keys("ArrowDown")
			u.st.Notify(Success, "Saved as pascal.whorl")
			u.st.Notify(Failure, "The file pascal.whorl ends in the middle of a block: 1,204 events could be read, and what came after is lost.")
			u.run()
			u.picture(dir, name+"-menu")
			u.keys("Escape")
			u.click("policy")
			u.keys("ArrowDown")
			u.picture(dir, name+"-dropdown")
			u.keys("Escape")
			u.st.toasts = nil
			u.st.Focus(Name("again"))
			x, y := u.mid("bar/step")
			u.move(x, y)
			u.wait(time.Second)
			u.picture(dir, name+"-tip")
			u.click("source")
			g.doc.Select(Pos{5, 4}, Pos{7, 5})
			u.st.Focus(Name("tabs/t"))
			u.run()
			u.picture(dir, name+"-selection")
			g.dialog = true
			u.run()
			u.picture(dir, name+"-dialog")
			g.dialog = false
			u.in.W, u.in.H = 640*scale, 420*scale
			u.click("source")
			u.picture(dir, name+"-small")
		}
	}
}

func (u *user) picture(dir, name string) {
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
