package runs

import (
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/visual/documents"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// TestNumbersWait: a run is left out while it goes on, and has its column when it has ended.
func TestNumbersWait(t *testing.T) {
	var docs []*documents.Document
	for _, policy := range []string{"steal", "random"} {
		r := experiment.Defaults("fghc/pascal")
		r.Args, r.Policy = []string{"9"}, policy
		docs = append(docs, documents.New(experimenttest.Trace(t, r)))
	}
	docs[1].Live = &documents.Live{}
	n := Numbers{Open: true}
	u := usertest.New(t, 800, 600, func(c *ui.Context) { n.Draw(c, docs) })
	for range 3 {
		u.Step()
	}
	if !u.Shows("Left out until the end: 1 run.") || !u.Shows("steal") || u.Shows("random") {
		t.Errorf("while a run goes on the window shows\n%s", u.Texts())
	}
	docs[1].Live.Over = true
	for range 3 {
		u.Step()
	}
	if u.Shows("Left out") || !u.Shows("random") || !u.Shows("reductions") {
		t.Errorf("at the end the window shows\n%s", u.Texts())
	}
	if u.Click("Close"); n.Open || u.Shows("reductions") {
		t.Errorf("after Close the window shows\n%s", u.Texts())
	}
}
