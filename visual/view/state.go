package view

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// State is everything that a user changes. Values in it are never changed in place, so that a State that was kept stays what it was.
type State struct {
	Shared   Shared   `json:"shared"`
	Personal Personal `json:"personal"`
}

// Shared is what all who look at the same traces see alike.
type Shared struct {
	Traces    []string  `json:"traces,omitempty"` // names, in the order they were opened
	Selection Selection `json:"selection"`
	Window    *Span     `json:"window,omitempty"` // of time, in ns; nil is all
	Palette   string    `json:"palette,omitempty"`
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
}

// Do says what an action does. The names are what sessions and replays hold.
type Do string

// The actions, and the fields of Action they use.
const (
	OpenTrace    Do = "open"      // Name
	CloseTrace   Do = "close"     // Name; its panes close too
	AddPane      Do = "pane"      // Name the view, Value the trace
	RemovePane   Do = "unpane"    // Pane
	Select       Do = "select"    // Selection
	Hover        Do = "hover"     // Selection
	SetWindow    Do = "window"    // Window, nil for all
	SetPalette   Do = "palette"   // Name
	SetParam     Do = "parameter" // Pane, Name, Value
	SetCamera    Do = "camera"    // Pane, Camera
	UndoAction   Do = "undo"
	RedoAction   Do = "redo"
	maxUndo         = 1000
	maxPanes        = 64
	maxSelection    = 10_000 // entries: a selection names ranges, never all their members
)

// An Action is one change of the state, as a value that can be sent and kept.
type Action struct {
	Do        Do         `json:"do"`
	Pane      int        `json:"at,omitempty"`
	Name      string     `json:"name,omitempty"`
	Value     string     `json:"value,omitempty"`
	Selection *Selection `json:"selection,omitempty"`
	Window    *Span      `json:"window,omitempty"`
	Camera    *Camera    `json:"camera,omitempty"`
}

// passing says that an action leaves nothing that one would want to undo.
func (a Action) passing() bool { return a.Do == Hover || a.Do == SetCamera }

// A Model is the state with its history. The zero Model is empty and ready.
type Model struct {
	State        State
	past, future []State
}

// Apply makes the change that an action describes; one that makes no sense changes nothing and returns an error. Moves of the mouse and
// of a camera are not undone.
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
		if len(m.past) == maxUndo {
			m.past = slices.Delete(m.past, 0, 1)
		}
		m.past = append(m.past, m.State)
		m.future = nil
	}
	m.State = next
	return nil
}

func (m *Model) back(from, to *[]State, none string) error {
	n := len(*from)
	if n == 0 {
		return fmt.Errorf("%s", none)
	}
	*to = append(*to, m.State)
	m.State = (*from)[n-1]
	*from = (*from)[:n-1]
	return nil
}

// apply returns the state after an action; s keeps what it had.
func apply(s State, a Action) (State, error) {
	switch a.Do {
	case OpenTrace:
		if a.Name == "" || slices.Contains(s.Shared.Traces, a.Name) {
			return s, fmt.Errorf("a trace named %q is open, or the name is empty", a.Name)
		}
		s.Shared.Traces = append(slices.Clone(s.Shared.Traces), a.Name)
	case CloseTrace:
		i := slices.Index(s.Shared.Traces, a.Name)
		if i < 0 {
			return s, fmt.Errorf("no trace %q is open", a.Name)
		}
		s.Shared.Traces = slices.Delete(slices.Clone(s.Shared.Traces), i, i+1)
		s.Personal.Panes = slices.DeleteFunc(slices.Clone(s.Personal.Panes), func(p Pane) bool { return p.Trace == a.Name })
		if s.Shared.Selection.Trace == a.Name {
			s.Shared.Selection = Selection{}
		}
		if s.Personal.Hover.Trace == a.Name {
			s.Personal.Hover = Selection{}
		}
	case AddPane:
		if a.Name == "" || !slices.Contains(s.Shared.Traces, a.Value) {
			return s, fmt.Errorf("view %q of trace %q: want a view and an open trace", a.Name, a.Value)
		}
		if len(s.Personal.Panes) >= maxPanes {
			return s, fmt.Errorf("there are %d panes already", maxPanes)
		}
		s.Personal.Panes = append(slices.Clone(s.Personal.Panes), Pane{View: a.Name, Trace: a.Value})
	case Select, Hover:
		var sel Selection
		if a.Selection != nil {
			sel = *a.Selection
		}
		if n := len(sel.Tasks) + len(sel.Codes) + len(sel.PEs); n > maxSelection {
			return s, fmt.Errorf("%d entries, want at most %d", n, maxSelection)
		}
		if a.Do == Select {
			s.Shared.Selection = sel
		} else {
			s.Personal.Hover = sel
		}
	case SetWindow:
		if a.Window != nil && a.Window.Last < a.Window.First {
			return s, fmt.Errorf("the time window ends before it begins")
		}
		s.Shared.Window = a.Window
	case SetPalette:
		if _, err := Palette.Parse(a.Name); err != nil {
			return s, err
		}
		s.Shared.Palette = a.Name
	case RemovePane, SetParam, SetCamera:
		return applyPane(s, a)
	default:
		return s, fmt.Errorf("no such action")
	}
	return s, nil
}

func applyPane(s State, a Action) (State, error) {
	if a.Pane < 0 || a.Pane >= len(s.Personal.Panes) {
		return s, fmt.Errorf("there is no pane %d of %d", a.Pane, len(s.Personal.Panes))
	}
	panes := slices.Clone(s.Personal.Panes)
	p := &panes[a.Pane]
	switch a.Do {
	case RemovePane:
		panes = slices.Delete(panes, a.Pane, a.Pane+1)
	case SetParam:
		if p.Params = maps.Clone(p.Params); p.Params == nil {
			p.Params = map[string]string{}
		}
		p.Params[a.Name] = a.Value
	case SetCamera:
		c := a.Camera
		if c == nil {
			c = &Camera{}
		}
		if !(math.Abs(c.X) < 1e300 && math.Abs(c.Y) < 1e300 && c.Scale >= 0 && c.Scale < 1e300) { // NaN too
			return s, fmt.Errorf("the camera is nowhere")
		}
		p.Camera = *c
	}
	s.Personal.Panes = panes
	return s, nil
}
