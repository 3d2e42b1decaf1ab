package view

import (
	"errors"

	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/icon"
)

// A Kind describes a view.
type Kind struct {
	Name  string // value of --view
	Title string
	Doc   string // a sentence
	Icon  icon.Icon

	Positions []Position // places where the view opens with a trace; none for views that only the user opens
	Examples  []string   // benchmarks whose runs the welcome page shows in this view

	// Needs lists sets of kinds of events. The view can open a trace that has all kinds of at least one set.
	Needs []tracer.KindSet

	Timed    bool // a trace of samples alone must tell when they were taken (tracer.SampleTimes)
	Picture  Pictures
	First    *First // nil for none
	Params   []Param
	Keys     []Key
	Contexts bool // shows calling contexts; their numbers in Root and in selections are the same in all runs of a program
	Program  bool // shows the program text, which its panes can edit
	Space    bool // the worlds of compared runs have a common scale, so that equal sizes look equal
	Windowed bool // counts only events in the time window (Frame.Window or Counted); other views may dim the rest
	Whole    bool // shows the whole run at every moment (Frame.Until)
	Modules  bool // shows the modules behind the picture of another pane (Pane.Of), which users change there
	Group    bool // shows all runs that are compared (source Group), so that one pane is enough for them

	Condensation *Condensation // nil for a view that needs the whole trace in memory
}

// A First draws the beginning of a long trace, to be shown until the picture of the whole trace is computed.
type First struct {
	Picture Pictures
	Events  int64 // that it reads; a trace with fewer than twice as many has no such picture
}

// A Condensation draws a trace larger than memory.
type Condensation struct {
	// Kind returns the view that condenses the trace to memory bytes while it reads it. Its pictures are the same within a pixel,
	// and their legends list the parts left out.
	Kind func(memory int64) *Kind

	// Memory returns the bytes that a picture takes if the whole trace is in memory, and the most that one of the condensed trace can use.
	Memory func(Demand) (whole, condensed int64)
}

// Within returns the view of a trace that may take some bytes of memory: k, if it does not take more or cannot take less, or else the view that
// condenses the trace.
func (k *Kind) Within(bytes int64, d Demand) *Kind {
	if k.Condensation == nil {
		return k
	}
	if whole, condensed := k.Condensation.Memory(d); k.Holds(bytes, d) || whole == condensed {
		return k
	}
	return k.Condensation.Kind(bytes)
}

// wholeBytes is the memory for an event of the trace in a view that does not condense it. Thread graphs take the most.
const wholeBytes = 50

// Holds reports whether a picture of the whole trace takes at most the given bytes of memory.
func (k *Kind) Holds(bytes int64, d Demand) bool {
	if k.Condensation != nil {
		whole, _ := k.Condensation.Memory(d)
		return whole <= bytes
	}
	return events(d.Counts)*wholeBytes <= bytes
}

// events returns the number of events of all kinds.
func events(counts [tracer.NumKinds]int64) (sum int64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

// A Demand describes a picture of a trace before the trace is read.
type Demand struct {
	Counts [tracer.NumKinds]int64 // events of each kind
	Side   int                    // smaller side of the picture in pixels
	Params map[string]string      // as users write them
	SVG    bool                   // a picture with a part of the file for each node
}

// A Key is a key of the keyboard and its action. Doc says what it does: first in the same words as in all views, then, after a colon, to what in
// this view. Action is empty if the action depends on the picture; the picture's Input returns it.
type Key struct {
	Key, Doc string
	Action   Action
}

// Answer returns the actions for an input in a picture of this kind. A click that selects something adds it to the selection with Shift, and
// takes it away with Alt.
func (k *Kind) Answer(p Picture, f *Frame, in Input) (actions []Action) {
	if r, ok := p.(Responder); ok {
		actions = r.Input(f, in)
	} else {
		actions = Navigate(p, k.Keys, f, in)
	}
	if in.Kind != Click || !in.Shift && !in.Alt || f.State == nil {
		return actions
	}
	for i := range actions {
		if actions[i].Do != Select {
			continue
		}
		var hit Selection
		if actions[i].Selection != nil {
			hit = *actions[i].Selection
		}
		s := f.State.Shared.Selection.With(hit)
		if in.Alt {
			s = f.State.Shared.Selection.Without(hit)
		}
		actions[i].Selection = &s
	}
	return actions
}

// Sources of the stages.
var (
	// Trace is the source of all stages.
	Trace = flow.NewSource[tracer.Source]("trace")

	// Recorded has the same trace as Trace, for networks of modules: their filters read it, and a view of the filtered trace has the filter's stage
	// in the place of Trace.
	Recorded = flow.NewSource[tracer.Source]("recorded trace")

	// Other is the trace of the run that views compare theirs with, nil for none, and OtherName is the name of that run.
	Other     = flow.NewSource[tracer.Source]("other trace")
	OtherName = flow.NewSource[string]("name of the other run")

	// Group holds the numbers of all runs that are compared with this one, for views with Kind.Group; nil for none.
	Group = flow.NewSource[any]("group")
)

// Against is the name of the parameter that says what a picture is compared with: AgainstTrace is the other run.
const (
	Against      = "against"
	AgainstTrace = "trace"
	AgainstNone  = "none"
)

// CompareRuns is the parameter of views that compare their run with the one beside it.
var CompareRuns = Param{
	Name: Against, Label: "Compare with", Doc: "show how much more or less than the run beside this one (trace)", Default: AgainstNone, Choices: []string{AgainstNone, AgainstTrace},
}

// CompareKey is the key of CompareRuns.
var CompareKey = Key{Key: "d", Doc: "compare, or stop comparing: this run with the one beside it"}

// Comparing returns the actions of CompareKey in a view that compares runs, or does not.
func Comparing(pane int, compared bool) []Action {
	if compared {
		return CompareRuns.Set(pane, AgainstNone)
	}
	return CompareRuns.Set(pane, AgainstTrace)
}

// ErrAlone is the reason why a picture is not compared with another run.
var ErrAlone = errors.New("no other run is open beside this one")

// OfOther holds the stages that derive from Other what others derive from Trace.
var OfOther = flow.NewMirror(Other, Trace, Recorded)

// Parameters of stages that users cannot set.
const (
	// Window holds the smaller side of the picture in pixels, as int64, for layouts that depend on it.
	Window = "window"

	// Counted holds the interval whose events are counted, formatted by FormatCounted.
	Counted = "counted"
)
