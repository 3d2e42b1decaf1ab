package view

import "fmt"

// State is everything that a user changes. Values in it are never changed in place, so that a State that was kept stays what it was.
type State struct {
	Shared   Shared   `json:"shared"`
	Personal Personal `json:"personal"`
}

// Shared is what all who look at the same traces see alike.
type Shared struct {
	Traces      []string     `json:"traces,omitempty"` // names, in the order they were opened
	Selection   Selection    `json:"selection"`
	Window      *Span        `json:"window,omitempty"` // of time, in ns; nil is all
	Until       *int64       `json:"until,omitempty"`  // ns: what happened later is not shown; nil is all
	Speed       int          `json:"speed,omitempty"`  // of what plays: 2 to the power of it times as fast as at first
	Parts       bool         `json:"parts,omitempty"`  // Until and Window are parts of the longest run, and shown is the same part of each
	Apart       bool         `json:"apart,omitempty"`  // views of runs that are compared have cameras of their own
	Detail      *Lines       `json:"detail,omitempty"` // of the program, which are shown one by one; nil leaves them to the views
	Palette     string       `json:"palette,omitempty"`
	Annotations []Annotation `json:"annotations,omitempty"` // by trace and task
}

// An Annotation is what a user wrote at a task of a trace.
type Annotation struct {
	Trace string `json:"trace"`
	Task  uint64 `json:"task"`
	Text  string `json:"text"`
}

// Personal is what each one has for himself.
type Personal struct {
	Panes []Pane    `json:"panes,omitempty"`
	Hover Selection `json:"hover"`
}

// A Pane shows one trace in one view.
type Pane struct {
	View   string            `json:"view"`
	Trace  string            `json:"trace"`
	Camera Camera            `json:"camera"`
	Params map[string]string `json:"params,omitempty"` // as Param.Parse reads them; those not in it have their defaults
	Trail  []Place           `json:"trail,omitempty"`  // where Back leads, the next one last
}

// A Place is what a pane showed before it entered a subtree: the task whose subtree that was, 0 for the whole tree, and from where.
type Place struct {
	Root   uint64 `json:"root,omitempty"`
	Camera Camera `json:"camera"`
}

// Apply makes the change that an action describes; one that makes no sense changes nothing and returns an error. To undo is to put back a
// State that was kept.
func (s *State) Apply(a Action) error {
	next, err := apply(*s, a)
	if err != nil {
		return fmt.Errorf("%s: %w", a.Do, err)
	}
	*s = next
	return nil
}
