package runs

import (
	"testing"

	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// TestProblemsAreAtTheirLetters counts characters of several bytes before an error.
func TestProblemsAreAtTheirLetters(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"p :- true | q ).", ")"},
		{"'äöü🌀'(X) :- true | wrong X.", "X"},
		{"p(X) :-\n\tX = 'ß', Ende ende.", "ende"},
		{". p.", "."},
	} {
		p := Program{Name: "p.fghc"}
		p.SetText(c.text)
		if p.Ready() || len(p.problems) == 0 {
			t.Errorf("%q has no error", c.text)
			continue
		}
		q := p.problems[0]
		if got := p.Line(q.Line)[q.From:max(q.To, q.From+1)]; got != c.want {
			t.Errorf("%q: %s: the problem is at %q, want %q", c.text, q.Text, got, c.want)
		}
		if at := p.Caret(); at.Line != q.Line || at.Col != q.From {
			t.Errorf("%q: the caret is at %+v, want %d:%d", c.text, at, q.Line, q.From)
		}
	}
	p := Program{Name: "p.fghc"}
	p.SetText("p(X) :- true | q(X).\n" + "\x00")
	if p.Ready() {
		t.Error("a text with a NUL has no error")
	}
	p.SetText("p(X) :- true | X = 1.\n")
	if !p.Ready() {
		t.Errorf("a program without errors has %+v", p.problems)
	}
	p.SetText("p(X, Y) :- true | X = 1.\n")
	if !p.Ready() || len(p.problems) != 1 || p.problems[0].Severity != ui.Warning {
		t.Errorf("a program with a warning has %+v", p.problems)
	}
}

// TestFileNames: a program is saved in the folder of the user's choice, with an ending.
func TestFileNames(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"p.fghc", "p.fghc"}, {"sums", "sums.fghc"}, {"/there/p.fghc", "p.fghc"}, {`C:\there\p.fghc`, "p.fghc"}, {"p.txt", "p.txt"},
	} {
		if got := (&Program{Name: c.name}).FileName(); got != c.want {
			t.Errorf("%s is saved as %s, want %s", c.name, got, c.want)
		}
	}
}

// TestColors: comments, texts, variables and signs have the colours of their kinds.
func TestColors(t *testing.T) {
	theme := ui.NewTheme(false)
	line := `p(X, _y) :- q("a:-b") | r. % X`
	var got []string
	for _, s := range colorLine(&theme, line) {
		got = append(got, line[s.From:s.To])
	}
	want := []string{"X", "_y", ":-", `"a:-b"`, "|", "% X"}
	if len(got) != len(want) {
		t.Fatalf("the parts in colour are %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("part %d is %q, want %q", i, got[i], want[i])
		}
	}
}

// TestEdited edits the program of a trace, takes the changes back and asks for a run.
func TestEdited(t *testing.T) {
	e := NewEdited("p.fghc", "p(X) :- true | X = 1.\n")
	if e.Dirty() {
		t.Error("a program as it ran is dirty")
	}
	var asks Request
	u := usertest.New(t, 700, 400, func(c *ui.Context) {
		if a := e.Draw(c, c.Window()); a != (Request{}) {
			asks = a
		}
	})
	if !u.Shows("No errors") {
		t.Errorf("no verdict is shown:\n%s", u.Texts())
	}
	u.ClickOn("text")
	u.Keys("Control+Home")
	u.Type("(")
	if !e.Dirty() || !u.Shows("Line 1: ") {
		t.Errorf("the program is dirty: %v; the window shows\n%s", e.Dirty(), u.Texts())
	}
	u.ClickOn("as it ran")
	if e.Dirty() || e.Text() != "p(X) :- true | X = 1.\n" {
		t.Errorf("the program as it ran is %q", e.Text())
	}
	u.ClickOn("text")
	if u.Keys("Control+z"); !e.Dirty() {
		t.Error("undo does not bring back the changes that the button took back")
	}
	u.ClickOn("run edited")
	if asks != (Request{Run: true}) {
		t.Errorf("the button asks for %+v", asks)
	}
	u.ClickOn("save program")
	if asks != (Request{Save: &e.Program}) {
		t.Errorf("the button asks for %+v", asks)
	}
	e.SetText("")
	u.Step()
	if !u.Shows("Type a program") {
		t.Errorf("an empty program shows\n%s", u.Texts())
	}
}

// TestLongVerdicts: a verdict that is longer than its place has smaller letters and two lines.
func TestLongVerdicts(t *testing.T) {
	long := "this error has a text that is rather longer than its place in the window"
	p := Program{problems: []widget.Problem{{Text: long}, {}, {}}}
	u := usertest.New(t, 300, 40, func(c *ui.Context) { p.drawVerdict(c, c.Window()) })
	if !u.Shows("Line 1: this error") || u.Shows(long) {
		t.Errorf("the verdict is shown as\n%s", u.Texts())
	}
}
