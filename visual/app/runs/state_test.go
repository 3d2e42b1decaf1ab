package runs

import (
	"fmt"
	"slices"
	"testing"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/visual/documents"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// paused is a session that stands still with a snapshot.
type paused struct{ snapshot *experiment.Snapshot }

func (paused) TakeTrace() []byte                 { return nil }
func (paused) Status() session.Status            { return session.Status{State: session.Paused, Reductions: 11} }
func (paused) Do(session.Command)                {}
func (paused) Close()                            {}
func (p *paused) Snapshot() *experiment.Snapshot { return p.snapshot }

var queues = &experiment.Snapshot{
	Central: &experiment.Standing{PE: -1, Length: 1, Queue: []experiment.Pending{{Task: 9, Text: "c"}}},
	PEs: []experiment.Standing{{
		PE: 0, Doing: "busy", Clock: 2000, Length: 1234, Coming: 2, Current: &experiment.Pending{Task: 5, Text: "a(1)"},
		Queue: []experiment.Pending{{Task: 6, Text: "b(2)"}},
	}},
	TotalPEs: 3, Suspended: 1, Waiting: []experiment.Pending{{Task: 7, Text: "d(X, Y)", Waits: []string{"X", "Y"}}},
}

func TestStateRows(t *testing.T) {
	var got []string
	for _, r := range stateRows(queues) {
		got = append(got, fmt.Sprintf("%s|%s|%v|%d", r.text, r.right, r.heading, r.task))
	}
	want := []string{
		"Central queue: 1 in its queue||true|0", "c||false|9",
		"PE 0: 1234 in its queue|busy at 2 µs, 2 coming|true|0", "a(1)|next|false|5", "b(2)||false|6", "and 1,233 more||false|0",
		"and 2 more PEs||false|0",
		"Suspended: 1||true|0", "d(X, Y)|waits for X, Y|false|7",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the rows are\n%q\nwant\n%q", got, want)
	}
}

// TestStatePanel selects a goal of a queue, goes to a reduction and shows the end of a run.
func TestStatePanel(t *testing.T) {
	var set documents.Set
	d := new(documents.Set).NewLive(&paused{queues}, experiment.Run{})
	set.Add("sums", d)
	set.Pump(0)
	s := State{Open: true}
	var chosen Chosen
	u := usertest.New(t, 700, 700, func(c *ui.Context) {
		r := c.Window()
		if got := s.Draw(c, &r, d, "Q"); got != (Chosen{}) {
			chosen = got
		}
	})
	if !u.Shows("Reductions\n11\n") {
		t.Errorf("the panel shows\n%s", u.Texts())
	}
	if u.Click("b(2)"); chosen != (Chosen{Task: 6}) {
		t.Errorf("a click on task 6 chooses %+v", chosen)
	}
	chosen = Chosen{}
	if u.Click("Suspended"); chosen != (Chosen{}) {
		t.Errorf("a click on a heading chooses %+v", chosen)
	}
	u.ClickOn("state panel/go to")
	u.Type("x")
	if u.Keys("Enter"); chosen != (Chosen{}) {
		t.Errorf("the reduction x is %+v", chosen)
	}
	u.Keys("Backspace")
	u.Type("42")
	if u.Keys("Enter"); chosen != (Chosen{Go: true, To: 42}) {
		t.Errorf("the reduction 42 is %+v", chosen)
	}
	d.Live.Over = true
	d.Live.Status = session.Status{State: session.Finished, Steps: true, Reductions: 12, Answer: "X = 21\n", Err: "it was stopped"}
	u.Step()
	for _, text := range []string{"Forks, joins\n12\n", "Answer\nX = 21\n", "What happened\nit was stopped\n", "The program has ended."} {
		if !u.Shows(text) {
			t.Errorf("%q is not shown:\n%s", text, u.Texts())
		}
	}
	if u.ClickOn("state panel/close"); s.Open {
		t.Error("the panel does not close")
	}
}
