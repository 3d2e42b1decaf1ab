package runs

import (
	"testing"

	"whorl/benchmarks"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// panelUser returns a user of a panel, and what the user has asked for last.
func panelUser(t *testing.T, p *Panel) (*usertest.User, *Request) {
	var last Request
	return usertest.New(t, 1000, 700, func(c *ui.Context) {
		r := c.Window()
		if asks := p.Draw(c, &r, "R"); asks != (Request{}) {
			last = asks
		}
	}), &last
}

func TestPanelStartsRuns(t *testing.T) {
	p := NewPanel()
	p.Open = true
	u, asks := panelUser(t, &p)
	u.Click("Run")
	if !asks.Run && !asks.Paused { // the title of the panel begins like the button
		u.ClickOn("run panel/start")
	}
	if *asks != (Request{Run: true}) {
		t.Errorf("the button Run asks for %+v", *asks)
	}
	u.Click("Step")
	if *asks != (Request{Run: true, Paused: true}) {
		t.Errorf("the button Step asks for %+v", *asks)
	}
	*asks = Request{}
	u.ClickOn("run panel/seed")
	u.Keys("Enter")
	if *asks != (Request{Run: true}) {
		t.Errorf("Enter in a field asks for %+v", *asks)
	}
	u.ClickOn("run panel/close")
	if p.Open {
		t.Error("the panel does not close")
	}
}

// TestOwnProgramBeginsWithTheBenchmark: the user's own program is at first that of the benchmark chosen before.
func TestOwnProgramBeginsWithTheBenchmark(t *testing.T) {
	p := NewPanel()
	p.Open = true
	u, asks := panelUser(t, &p)
	u.Click("Policy")
	u.ClickOn("run panel/program")
	u.Keys("End")
	u.Keys("Enter")
	if !p.form.own() {
		t.Fatalf("%s is not chosen:\n%s", ownProgram, u.Texts())
	}
	b, err := benchmarks.Lookup(firstProgram)
	if err != nil {
		t.Fatal(err)
	}
	source := b.Program.(benchmarks.FGHC)
	if p.Program.Text() != source.Source || p.Program.Name != source.File || p.form.goal == "" {
		t.Errorf("the program %s with the goal %q is\n%s", p.Program.Name, p.form.goal, p.Program.Text())
	}
	if r, err := p.Run(); err != nil || r.Text != source.Source {
		t.Errorf("the run is %+v, %v", r, err)
	}
	u.ClickOn("run panel/save program")
	if asks.Save != &p.Program {
		t.Errorf("the button asks for %+v", *asks)
	}
	*asks = Request{}
	u.ClickOn("run panel/text")
	u.Keys("Control+s")
	if asks.Save != &p.Program || asks.Run {
		t.Errorf("Ctrl+S asks for %+v", *asks)
	}
	u.Keys("Control+Enter")
	if !asks.Run || asks.Save != nil {
		t.Errorf("Ctrl+Enter asks for %+v", *asks)
	}
	// Another benchmark leaves the text alone.
	u.ClickOn("run panel/program")
	u.Keys("Home")
	u.Keys("Enter")
	if p.form.own() || p.Program.Text() != source.Source {
		t.Errorf("program %d is chosen, and the user's own is\n%s", p.form.program, p.Program.Text())
	}
}

// TestGoalOfFGHC: only programs in FGHC have a field for a goal.
func TestGoalOfFGHC(t *testing.T) {
	p := NewPanel()
	p.Open = true
	u, _ := panelUser(t, &p)
	for i, b := range benchmarks.All {
		p.form.program = i
		u.Step()
		if _, fghc := b.Program.(benchmarks.FGHC); u.Shows("Goal") != fghc {
			t.Errorf("the form of %s shows\n%s", b.Name, u.Texts())
		}
	}
}

// TestCountErrors: numbers outside their range and texts that are no numbers are described.
func TestCountErrors(t *testing.T) {
	for _, c := range []struct {
		text        string
		least, most int64
		wrong       bool
	}{
		{"1", 1, 1000, false},
		{"1000", 1, 1000, false},
		{"0", 1, 1000, true},
		{"1001", 1, 1000, true},
		{"five", 1, 1000, true},
		{"1001", 1, 0, false}, // no largest number
	} {
		if got := countError(c.text, c.least, c.most); (got != "") != c.wrong {
			t.Errorf("%s from %d to %d: %q", c.text, c.least, c.most, got)
		}
	}
	if got := countError("0", 1, 1000); got != "a whole number from 1 to 1,000" {
		t.Errorf("the error is %q", got)
	}
}
