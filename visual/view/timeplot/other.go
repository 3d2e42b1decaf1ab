package timeplot

import (
	"errors"
	"fmt"
	"math"

	"whorl/tracer/derive/activity"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// An Other is the run that a picture is compared with, by the share of the PEs that are busy. Both runs begin at the same time.
type Other struct {
	Name  string
	wrong error // why nothing is compared, or nil

	act    *activity.Activity
	groups *activity.Pyramid
	shift  int64 // from a time of the shown run to that of this one, in ns
	apart  bool  // the runs have different numbers of PEs
}

// Stages of the other run.
var (
	otherActivity = ActivityStage.Mirrored(view.OfOther)
	otherPyramid  = PyramidStage.Mirrored(view.OfOther)
)

// OtherRun are the inputs of a stage that calls OtherOf.
var OtherRun = flow.In(view.OtherName, otherActivity, otherPyramid)

// OtherOf returns the run that the parameters compare a run with these states with, nil for none.
func OtherOf(c flow.Reading, p flow.Values, b *Busy) *Other {
	if p.Text(view.Against) != view.AgainstTrace {
		return nil
	}
	act, _ := otherActivity.In(c)
	groups, err := otherPyramid.In(c)
	o := &Other{Name: view.OtherName.In(c), act: act, groups: groups}
	switch {
	case err != nil:
		o.wrong = fmt.Errorf("against %s: %w", o.Name, err)
	case groups == nil:
		o.wrong = view.ErrAlone
	case b.Rows != nil:
		o.wrong = errors.New("tasks and functions as rows are not compared: show the PEs as rows")
	default:
		o.shift, o.apart = act.From-b.Act.From, act.PEs != b.Act.PEs
	}
	return o
}

// Compared reports whether there is another run to compare with.
func (o *Other) Compared() bool { return o != nil && o.wrong == nil }

// Wrong returns the reason why nothing is compared although the user wants it, or nil.
func (o *Other) Wrong() error {
	if o == nil {
		return nil
	}
	return o.wrong
}

// To returns when the longer of the two runs ends, as a time of a run that ends at to.
func (o *Other) To(to int64) int64 {
	if !o.Compared() {
		return to
	}
	return max(to, o.act.To-o.shift)
}

// Shares sets the shares of group i of a level of the pyramid in columns of the shown run. If the numbers of PEs differ, they are those of all PEs.
func (o *Other) Shares(level, i int, bounds []int64, shares []activity.Share) {
	t := o.groups.All()
	if !o.apart {
		t, _, _ = o.groups.Group(level, i)
	}
	shifted := make([]int64, len(bounds))
	for k, b := range bounds {
		shifted[k] = b + o.shift
	}
	Shares(t, shifted, shares)
}

// AllShares sets the shares of all PEs.
func (o *Other) AllShares(bounds []int64, shares []activity.Share) {
	apart := *o
	apart.apart = true
	apart.Shares(0, 0, bounds, shares)
}

// BusyShare returns the share of the PEs that are busy, from 0 to 1.
func BusyShare(s activity.Share) float64 {
	return float64(s.Busy) / float64(max(s.Busy+s.Over+s.Idle, 1))
}

// steps is the number of colours on each side of equal, and interval the number of columns that are compared together: single steps of two runs never
// coincide.
const (
	steps    = 16
	interval = 6
)

// Differences fills the columns between y0 and y1 with the colours of the differences between two runs.
func (p *Plot) Differences(out *scene.List, y0, y1 float64, shares, other []activity.Share) {
	part := func(all []activity.Share, from int) (s activity.Share) {
		for _, x := range all[from:min(from+interval, len(all))] {
			s = Plus(s, x)
		}
		return s
	}
	at := func(from int) float64 {
		return math.Round(steps * (BusyShare(part(shares, from)) - BusyShare(part(other, from))))
	}
	for k := 0; k < len(shares); {
		from, t := k, at(k)
		for k += interval; k < len(shares) && at(k) == t; k += interval {
		}
		x1 := float32(p.In.X0) + float32(min(k, len(shares)))
		out.Rect(float32(p.In.X0)+float32(from), float32(y0), x1, float32(y1), view.Diverging{Dark: p.Style.Dark}.Color(t/steps))
	}
}

// Explain adds the comparison to a legend: its colours in the place of those of the first block.
func (o *Other) Explain(l *view.Legend, dark bool) {
	switch {
	case o == nil:
		return
	case o.wrong != nil:
		l.Warning = view.Capital(o.wrong.Error()) + "."
		return
	}
	l.Subtitle += ", beside that of " + o.Name
	l.Blocks[0] = view.Block{Title: "Busy, compared with " + o.Name, Ramp: view.Diverging{Dark: dark}.Ramp("100 %")}
	if o.apart {
		l.Blocks[0].Notes = []string{"The runs have different numbers of PEs: a row is compared with the mean of all PEs of " + o.Name + "."}
	}
}
