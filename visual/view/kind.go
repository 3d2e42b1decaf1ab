package view

import (
	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/icon"
)

// A Kind describes a view to users and to the parts of the program that open it.
type Kind struct {
	Name  string // as --view knows it
	Title string
	Doc   string // a sentence
	Icon  icon.Icon

	Positions []Position // where the view opens when a trace is opened; none for views that the user opens

	// Needs lists sets of kinds of events: a trace can be opened when it has all kinds of any one set.
	Needs []tracer.KindSet

	Picture  Pictures
	Params   []Param
	Keys     []Key
	Contexts bool // it shows calling contexts: their numbers, in Root and in selections, are the same in all runs of a program
	Program  bool // it shows the text of the program, which can be edited in its panes
	Space    bool // the worlds of all runs have one scale: where runs are compared, equal sizes look equal
	Windowed bool // it counts only what happened in the window of time (Frame.Window, or Counted); other views may dim the rest

	// Condensed returns the view of a trace that is larger than memory, which is condensed while it is read to that many bytes; nil for a
	// view that needs all of a trace. Its pictures are the same within what a pixel can show.
	Condensed func(memory int64) *Kind
}

// A Key is a key of the keyboard and the action it stands for. Where the action depends on what is shown, Action is empty and the
// picture's Input returns it.
type Key struct {
	Key, Doc string
	Action   Action
}

// Answer returns the actions that an input in a picture of this kind stands for.
func (k *Kind) Answer(p Picture, f *Frame, in Input) []Action {
	if r, ok := p.(Responder); ok {
		return r.Input(f, in)
	}
	return Navigate(p, k.Keys, f, in)
}

// Sources of the stages.
var (
	// Trace is the source that all stages start from.
	Trace = flow.NewSource[tracer.Source]("trace")

	// Beside is what a view may compare its trace with: a value derived from another run, nil for none. It is a value in memory and not a
	// trace, so that a run can be closed while another one is compared with it.
	Beside = flow.NewSource[any]("beside")
)

// Parameters of stages that no user sets.
const (
	// Window holds the smaller side of the picture in pixels, as int64, for layouts that depend on it.
	Window = "window"

	// Counted holds the time in which events are counted, as FormatCounted writes it, for stages that depend on it.
	Counted = "counted"
)
