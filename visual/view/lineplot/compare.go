package lineplot

import (
	"fmt"

	"whorl/internal/figures"
	"whorl/tracer/derive/lineprofile"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// An other is the run that a plot is compared with.
type other struct {
	name  string
	match *lineprofile.Match
}

// otherProfile is ProfileStage of the other run.
var otherProfile = ProfileStage.Mirrored(view.OfOther)

// compare makes the sums of the plot those of the differences to another run, if the parameter says so.
func (p *Plot) compare(c *flow.Call[*Plot]) {
	if c.Params.Text(view.Against) != view.AgainstTrace {
		return
	}
	theirs, err := otherProfile.In(c)
	name := view.OtherName.In(c)
	switch {
	case err != nil:
		p.wrong = fmt.Errorf("against %s: %w", name, err)
		return
	case theirs == nil:
		p.wrong = view.ErrAlone
		return
	}
	m := lineprofile.NewMatch(p.Profile, theirs)
	if len(p.Profile.Metrics) > 0 && m.Metric(p.Metric) < 0 {
		p.wrong = fmt.Errorf("against %s: that run has no metric %s", name, p.Noun())
		return
	}
	p.other = &other{name, m}
}

// Wrong returns the reason why the run is not compared with another although the user wants it, or nil.
func (p *Plot) Wrong() error { return p.wrong }

// Compared reports whether the sums of the plot are differences.
func (p *Plot) Compared() bool { return p.other != nil }

// Sum returns the table of a query: of the run, or of its difference to the other one.
func (p *Plot) Sum(g lineprofile.Grain, q lineprofile.Query) *lineprofile.Table {
	if p.other != nil {
		return p.other.match.Difference(g, q)
	}
	return p.Profile.Sum(g, q)
}

// differences returns notes of a comparison.
func (p *Plot) differences() (notes []string) {
	if p.other == nil {
		return nil
	}
	t := p.All().Lines
	notes = []string{"Numbers are those of this run less those of " + p.other.name + ", which has " + figures.Counted(int64(p.other.match.PEs()), "PE") + "."}
	if t.PEs != p.other.match.PEs() {
		notes[0] = "Numbers are those of a PE of this run less the mean of the " + figures.Counted(int64(p.other.match.PEs()), "PE") + " of " + p.other.name + "."
	}
	if t.Rest != 0 {
		notes = append(notes, p.Amount(t.Rest)+" of "+p.other.name+" fell on lines that are not in this run.")
	}
	return notes
}
