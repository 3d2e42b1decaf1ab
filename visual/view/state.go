package view

import (
	"fmt"
	"slices"
)

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

// A Model is the state with its history. The zero Model is empty and ready.
type Model struct {
	State        State
	past, future []State
	last         Action // the last one that can be undone; zero after an undo
	marks        uint64
}

const maxUndo = 1000

// Apply makes the change that an action describes; one that makes no sense changes nothing and returns an error. Moves of the mouse and
// of a camera are not undone, nor does an undo of something else take them back.
func (m *Model) Apply(a Action) error {
	switch a.Do {
	case UndoAction:
		return m.back(&m.past, &m.future, "nothing to undo")
	case RedoAction:
		return m.back(&m.future, &m.past, "nothing to redo")
	}
	next, err := apply(m.State, a)
	if err != nil {
		return fmt.Errorf("%s: %w", a.Do, err)
	}
	if !a.passing() {
		if !a.More || m.last.Do != a.Do || m.last.Pane != a.Pane || m.last.Name != a.Name {
			if len(m.past) == maxUndo {
				m.past = slices.Delete(m.past, 0, 1)
			}
			m.past = append(m.past, m.State)
		}
		m.future, m.last = nil, a
	}
	if a.Do != SetCamera && a.Do != SetUntil && a.Do != SetParam {
		m.marks++
	}
	m.State = next
	return nil
}

// Marks changes whenever the selection, the hovered thing, the annotations or the traces may have: together with Frame.Key it is all
// that an overlay depends on.
func (m *Model) Marks() uint64 { return m.marks }

func (m *Model) back(from, to *[]State, none string) error {
	n := len(*from)
	if n == 0 {
		return fmt.Errorf("%s", none)
	}
	*to = append(*to, m.State)
	next := (*from)[n-1]
	*from = (*from)[:n-1]
	next.Personal.Hover = m.State.Personal.Hover
	next.Personal.Panes = keepCameras(next.Personal.Panes, m.State.Personal.Panes)
	m.State, m.last = next, Action{}
	m.marks++
	return nil
}

// keepCameras returns panes with the cameras that they have now, where they show the same now.
func keepCameras(panes, now []Pane) []Pane {
	panes = slices.Clone(panes)
	for i := range min(len(panes), len(now)) {
		p, q := &panes[i], &now[i]
		if p.View == q.View && p.Trace == q.Trace && p.Params[Root] == q.Params[Root] {
			p.Camera = q.Camera
		}
	}
	return panes
}
