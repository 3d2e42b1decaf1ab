package view

import (
	"errors"
	"fmt"
	"slices"
)

// State holds everything that a user can change. Its values are never modified in place, so a copy stays valid.
type State struct {
	Shared   Shared   `json:"shared"`
	Personal Personal `json:"personal"`
}

// Shared is the state common to all viewers of the same traces.
type Shared struct {
	Traces      []string     `json:"traces,omitempty"` // names, in the order they were opened
	Selection   Selection    `json:"selection"`
	Window      *Span        `json:"window,omitempty"` // of time, in ns; nil for all
	Until       *int64       `json:"until,omitempty"`  // ns; later events are hidden; nil for none hidden
	Speed       int          `json:"speed,omitempty"`  // of playing: the base-2 logarithm of the factor
	Parts       bool         `json:"parts,omitempty"`  // Until and Window are relative to the longest run, and each run shows the same share
	Apart       bool         `json:"apart,omitempty"`  // views of compared runs have separate cameras
	Detail      *Lines       `json:"detail,omitempty"` // source lines shown one by one; nil lets the views choose
	Palette     string       `json:"palette,omitempty"`
	Annotations []Annotation `json:"annotations,omitempty"` // by trace and task
	Filters     []Filter     `json:"filters,omitempty"`     // by trace
	Trials      []Trial      `json:"trials,omitempty"`      // by trace
	Alone       bool         `json:"alone,omitempty"`       // trials are drawn without the outline of the recorded run

	Past   []Selection `json:"past,omitempty"`   // the selections before this one, the last one last
	Future []Selection `json:"future,omitempty"` // those that SelectBack has left, the next one last
	Kept   []Kept      `json:"kept,omitempty"`   // by trace and name
}

// Kept is the expression of a selection of a trace (visual/view/selector), under a name of the user's choice.
type Kept struct {
	Trace string `json:"trace"`
	Name  string `json:"name"`
	Expr  string `json:"expr"`
}

// A Trial is a simulated run that is shown in place of the recorded run of a trace, which it repeats with other settings.
type Trial struct {
	Trace    string            `json:"trace"`
	Settings map[string]string `json:"settings"` // those that differ from the recorded run, by name
}

// Trial returns the settings of the trial of a trace, nil for none.
func (s *Shared) Trial(trace string) map[string]string {
	for _, t := range s.Trials {
		if t.Trace == trace {
			return t.Settings
		}
	}
	return nil
}

// An Annotation is a user's note on a task of a trace.
type Annotation struct {
	Trace string `json:"trace"`
	Task  uint64 `json:"task"`
	Text  string `json:"text"`
}

// Personal is the state of one viewer.
type Personal struct {
	Panes []Pane    `json:"panes,omitempty"`
	Hover Selection `json:"hover"`
}

// A Pane shows one trace in one view.
type Pane struct {
	View      string            `json:"view"`
	Trace     string            `json:"trace"`
	Camera    Camera            `json:"camera"`
	Params    map[string]string `json:"params,omitempty"`  // as Param.Parse reads them; missing ones have their defaults
	Network   string            `json:"network,omitempty"` // of modules, as whorl/visual/network writes it; "" shows the trace itself in the view
	ModulesOf int               `json:"of,omitempty"`      // of a view of modules: 1 + the index of the pane whose modules it shows; 0 for none
	Trail     []Place           `json:"trail,omitempty"`   // places that Back returns to, the next one last
}

// Check returns the fault of a pane from outside, nil for none.
func (p *Pane) Check() error {
	switch {
	case p.View == "":
		return errors.New("a pane without a view")
	case len(p.Trail) > maxTrail:
		return fmt.Errorf("a pane with %d steps back, expected at most %d", len(p.Trail), maxTrail)
	case len(p.Network) > maxNetwork:
		return fmt.Errorf("a network of %d bytes, expected at most %d", len(p.Network), maxNetwork)
	case !p.Camera.valid() || slices.ContainsFunc(p.Trail, func(at Place) bool { return !at.Camera.valid() }):
		return errors.New("a camera is out of range")
	}
	return nil
}

// A Place is the view of a pane before it entered a subtree: the root task, 0 for the whole tree, and the camera.
type Place struct {
	Root   uint64 `json:"root,omitempty"`
	Camera Camera `json:"camera"`
}

// Apply applies an action to the state. An invalid action changes nothing and returns an error. A caller undoes an action
// by restoring a copy of the State.
func (s *State) Apply(a Action) error {
	next, err := apply(*s, a)
	if err != nil {
		return fmt.Errorf("%s: %w", a.Do, err)
	}
	*s = next
	return nil
}
