package view

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Do is the kind of an action. Saved sessions and replays contain its values.
type Do string

// The actions, with the fields of Action that each uses.
const (
	OpenTrace    Do = "open"       // Name
	CloseTrace   Do = "close"      // Name; closes its panes, too
	AddPane      Do = "pane"       // Name: view, Value: trace
	RemovePane   Do = "unpane"     // Pane
	Select       Do = "select"     // Selection
	Hover        Do = "hover"      // Selection
	SelectBack   Do = "previous"   // selects what was selected before
	SelectNext   Do = "next"       // undoes SelectBack
	Keep         Do = "keep"       // Name; Selection: its Trace and Expr are kept under the name, which may have had others
	Forget       Do = "forget"     // Name, Value: trace
	SetWindow    Do = "window"     // Window; nil removes it
	SetUntil     Do = "until"      // Until; nil shows all
	SetDetail    Do = "detail"     // Lines; nil lets the views choose
	SetSpeed     Do = "speed"      // Index: base-2 logarithm of the factor
	SetParts     Do = "parts"      // Index: 1 aligns runs by share, 0 by time
	SetApart     Do = "apart"      // Index: 1 for separate cameras, 0 for a common one
	SetPalette   Do = "palette"    // Name
	SetParam     Do = "parameter"  // Pane, Name, Value
	SetNetwork   Do = "network"    // Pane, Value: a network of modules; "" for none
	SetOf        Do = "of"         // Pane, Index: 1 + the pane whose modules the pane shows; 0 for none
	SetCamera    Do = "camera"     // Pane, Camera; nil fits everything
	EnterSubtree Do = "enter"      // Pane, Task (0: the selected one); adds the current place to the trail
	Back         Do = "back"       // Pane; returns to the last place of the trail
	LeaveTo      Do = "leave"      // Pane, Index: an entry of the trail; 0 of an empty trail is the whole tree
	Annotate     Do = "annotate"   // Name: trace, Task, Value: text, which replaces an earlier one
	Unannotate   Do = "unannotate" // Name: trace, Task
	SetFilter    Do = "filter"     // Name: trace, Value: an expression (visual/network/filter) that says what all views show of it; "" for the whole
	Try          Do = "try"        // Name: trace, Settings: all that differ from the recorded run; without any the trace shows that again
	SetAlone     Do = "alone"      // Index: 1 draws trials alone, 0 with an outline of the recorded run
	Nothing      Do = "nothing"    // Value: message to the user
	UndoAction   Do = "undo"       // the last six are handled by the owner of the State
	RedoAction   Do = "redo"
	TogglePlay   Do = "play"  // starts or stops playing
	NextMatch    Do = "match" // Index: 1 selects the next match of the search in the pane, -1 the one before
	ShowTrace    Do = "show"  // Name; brings a pane of the trace to the front and gives it the keys
	OpenRun      Do = "run"   // Name: a trace file in the folder of that of the pane, "" for none; Value: the command that makes the run again
)

// Limits of a state, which may come from a file or another program.
const (
	maxTraces      = 256
	maxSelection   = 10_000 // entries; each may be a range
	maxAnnotations = 10_000
	maxText        = 2000 // characters of an annotation
	maxTrail       = 1000
	maxNetwork     = 1 << 18 // bytes
	maxSettings    = 64      // of a trial
	maxLine        = 1 << 30
	maxPast        = 100
	maxKept        = 1000
	maxName        = 100     // characters of the name of a selection
	maxExpr        = 1 << 18 // bytes
)

// MaxPanes is the number of panes that a state may have.
const MaxPanes = 64

// MaxSpeed is how often the playing speed can be doubled or halved.
const MaxSpeed = 3

// An Action is one change of the state, as a value that can be sent and stored.
type Action struct {
	Do        Do                `json:"do"`
	Pane      int               `json:"at,omitempty"`
	Name      string            `json:"name,omitempty"`
	Value     string            `json:"value,omitempty"`
	Selection *Selection        `json:"selection,omitempty"`
	Window    *Span             `json:"window,omitempty"`
	Lines     *Lines            `json:"lines,omitempty"`
	Camera    *Camera           `json:"camera,omitempty"`
	Until     *int64            `json:"time,omitempty"`
	Task      uint64            `json:"task,omitempty"`
	Index     int               `json:"index,omitempty"`
	Settings  map[string]string `json:"settings,omitempty"`
	More      bool              `json:"more,omitempty"` // continues the last action, as in a drag or an animation: one undo reverts both
}

// Refuse returns the action that tells the user why input in a pane has no effect.
func Refuse(pane int, why string) []Action { return []Action{{Do: Nothing, Pane: pane, Value: why}} }

// Passing reports whether an action is not worth an undo step: hovering, moves of the camera and of the detail, the speed,
// how runs are aligned, and which pane has the keys.
func (a Action) Passing() bool {
	switch a.Do {
	case Hover, SetCamera, SetDetail, SetSpeed, SetParts, SetApart, ShowTrace:
		return true
	}
	return false
}

// apply returns the state after an action. It does not modify the values of s.
func apply(s State, a Action) (State, error) {
	switch a.Do {
	case OpenTrace:
		if a.Name == "" || slices.Contains(s.Shared.Traces, a.Name) {
			return s, fmt.Errorf("a trace named %q is open, or the name is empty", a.Name)
		}
		if len(s.Shared.Traces) >= maxTraces {
			return s, fmt.Errorf("there are %d traces already", maxTraces)
		}
		s.Shared.Traces = append(slices.Clone(s.Shared.Traces), a.Name)
	case CloseTrace:
		i := slices.Index(s.Shared.Traces, a.Name)
		if i < 0 {
			return s, fmt.Errorf("no trace %q is open", a.Name)
		}
		s.Shared.Traces = slices.Delete(slices.Clone(s.Shared.Traces), i, i+1)
		s.Shared.Annotations = slices.DeleteFunc(slices.Clone(s.Shared.Annotations), func(n Annotation) bool { return n.Trace == a.Name })
		s.Shared.Trials = slices.DeleteFunc(slices.Clone(s.Shared.Trials), func(t Trial) bool { return t.Trace == a.Name })
		s.Personal.Panes = kept(s.Personal.Panes, func(i int) bool { return s.Personal.Panes[i].Trace != a.Name })
		s.Shared.Filters = slices.DeleteFunc(slices.Clone(s.Shared.Filters), func(f Filter) bool { return f.Trace == a.Name })
		s.forgetTrace(a.Name)
		if s.Personal.Hover.Trace == a.Name {
			s.Personal.Hover = Selection{}
		}
	case AddPane:
		if a.Name == "" || !slices.Contains(s.Shared.Traces, a.Value) {
			return s, fmt.Errorf("view %q of trace %q: expected a view and an open trace", a.Name, a.Value)
		}
		if len(s.Personal.Panes) >= MaxPanes {
			return s, fmt.Errorf("there are %d panes already", MaxPanes)
		}
		s.Personal.Panes = append(slices.Clone(s.Personal.Panes), Pane{View: a.Name, Trace: a.Value})
	case Select, Hover:
		var sel Selection
		if a.Selection != nil {
			sel = *a.Selection
		}
		if n := len(sel.Tasks) + len(sel.Codes) + len(sel.Lines) + len(sel.PEs) + len(sel.Contexts); n > maxSelection {
			return s, fmt.Errorf("%d entries, expected at most %d", n, maxSelection)
		}
		if a.Do == Select {
			s.selectNow(sel, a.More)
		} else {
			s.Personal.Hover = sel
		}
	case SetWindow:
		if a.Window != nil && a.Window.Last < a.Window.First {
			return s, fmt.Errorf("the time window ends before it begins")
		}
		s.Shared.Window = a.Window
	case SetUntil:
		s.Shared.Until = a.Until
	case SetDetail:
		if l := a.Lines; l != nil && (l.File == "" || l.First < 1 || l.End() > maxLine) {
			return s, fmt.Errorf("lines %d to %d of %q: expected lines from 1 to %d of a file", l.First, l.End(), l.File, maxLine)
		}
		s.Shared.Detail = a.Lines
	case SetSpeed:
		if a.Index < -MaxSpeed || a.Index > MaxSpeed {
			return s, NotNow("the speed is limited to 1/8 to 8 times")
		}
		s.Shared.Speed = a.Index
	case SetParts:
		s.Shared.Parts = a.Index != 0
	case SetApart:
		s.Shared.Apart = a.Index != 0
	case SetAlone:
		s.Shared.Alone = a.Index != 0
	case Try:
		return try(s, a)
	case SetPalette:
		if _, err := Palette.Parse(a.Name); err != nil && a.Name != "" { // without a name each view has its own default
			return s, err
		}
		s.Shared.Palette = a.Name
	case SelectBack, SelectNext:
		return step(s, a.Do)
	case Keep, Forget:
		return keep(s, a)
	case SetFilter:
		return setFilter(s, a)
	case Annotate, Unannotate:
		return annotate(s, a)
	case Nothing:
		return s, NotNow(a.Value)
	case ShowTrace:
		if !slices.Contains(s.Shared.Traces, a.Name) {
			return s, fmt.Errorf("no trace %q is open", a.Name)
		}
	case TogglePlay, NextMatch, OpenRun: // change nothing by themselves
	case RemovePane, SetParam, SetNetwork, SetOf, SetCamera, EnterSubtree, Back, LeaveTo:
		return applyPane(s, a)
	default:
		return s, fmt.Errorf("no such action")
	}
	return s, nil
}

func annotate(s State, a Action) (State, error) {
	notes := slices.Clone(s.Shared.Annotations)
	i, found := slices.BinarySearchFunc(notes, a, func(n Annotation, a Action) int {
		return cmp.Or(cmp.Compare(n.Trace, a.Name), cmp.Compare(n.Task, a.Task))
	})
	switch n := utf8.RuneCountInString(a.Value); {
	case a.Do == Unannotate && !found:
		return s, fmt.Errorf("task %d of trace %q has no annotation", a.Task, a.Name)
	case a.Do == Unannotate:
		notes = slices.Delete(notes, i, i+1)
	case !slices.Contains(s.Shared.Traces, a.Name):
		return s, fmt.Errorf("no trace %q is open", a.Name)
	case n == 0 || n > maxText || !utf8.ValidString(a.Value):
		return s, fmt.Errorf("a text of %d characters, expected 1 to %d", n, maxText)
	case found:
		notes[i].Text = a.Value
	case len(notes) >= maxAnnotations:
		return s, fmt.Errorf("there are %d annotations already", maxAnnotations)
	default:
		notes = slices.Insert(notes, i, Annotation{Trace: a.Name, Task: a.Task, Text: a.Value})
	}
	s.Shared.Annotations = notes
	return s, nil
}

// try sets the settings of the trial of a trace.
func try(s State, a Action) (State, error) {
	switch {
	case !slices.Contains(s.Shared.Traces, a.Name):
		return s, fmt.Errorf("no trace %q is open", a.Name)
	case len(a.Settings) > maxSettings:
		return s, fmt.Errorf("%d settings, expected at most %d", len(a.Settings), maxSettings)
	}
	trials := slices.DeleteFunc(slices.Clone(s.Shared.Trials), func(t Trial) bool { return t.Trace == a.Name })
	if len(a.Settings) > 0 {
		i, _ := slices.BinarySearchFunc(trials, a.Name, func(t Trial, name string) int { return cmp.Compare(t.Trace, name) })
		trials = slices.Insert(trials, i, Trial{Trace: a.Name, Settings: maps.Clone(a.Settings)})
	}
	s.Shared.Trials = trials
	return s, nil
}

// kept returns the panes whose indices keep selects. Panes that show the modules of others refer to these by their new indices.
func kept(panes []Pane, keep func(i int) bool) (out []Pane) {
	index := make([]int, len(panes)+1) // the new value of Pane.Of by the old one
	for i, p := range panes {
		if keep(i) {
			out = append(out, p)
			index[i+1] = len(out)
		}
	}
	for i, p := range out {
		out[i].ModulesOf = index[min(p.ModulesOf, len(panes))]
	}
	return out
}

func applyPane(s State, a Action) (State, error) {
	if a.Pane < 0 || a.Pane >= len(s.Personal.Panes) {
		return s, fmt.Errorf("there is no pane %d of %d", a.Pane, len(s.Personal.Panes))
	}
	panes := slices.Clone(s.Personal.Panes)
	p := &panes[a.Pane]
	switch a.Do {
	case RemovePane:
		panes = kept(panes, func(i int) bool { return i != a.Pane })
	case SetParam:
		p.set(a.Name, a.Value)
	case SetNetwork:
		if len(a.Value) > maxNetwork {
			return s, fmt.Errorf("a network of %d bytes, expected at most %d", len(a.Value), maxNetwork)
		}
		p.Network = a.Value
	case SetOf:
		if a.Index < 0 || a.Index > len(panes) || a.Index == a.Pane+1 {
			return s, fmt.Errorf("there is no other pane %d of %d", a.Index-1, len(panes))
		}
		p.ModulesOf = a.Index
	case SetCamera:
		c := a.Camera
		if c == nil {
			c = &Camera{}
		}
		if !c.valid() {
			return s, fmt.Errorf("the camera is out of range")
		}
		p.Camera = *c
	case EnterSubtree:
		task := a.Task
		if sel := s.Shared.Selection; task == 0 && sel.Trace == p.Trace && len(sel.Tasks) == 1 && sel.Tasks[0].Last <= sel.Tasks[0].First {
			task = sel.Tasks[0].First
		}
		switch {
		case task == 0:
			return s, NotNow("select one task to see its subtree: a click selects")
		case task == p.Root():
			return s, NotNow(fmt.Sprintf("the subtree of task %d is shown already", task))
		case len(p.Trail) >= maxTrail:
			return s, fmt.Errorf("there are %d steps back already", maxTrail)
		}
		p.Trail = append(slices.Clone(p.Trail), Place{p.Root(), p.Camera})
		p.show(Place{Root: task})
	case Back:
		return applyPane(s, Action{Do: LeaveTo, Pane: a.Pane, Index: max(len(p.Trail)-1, 0)})
	case LeaveTo:
		switch {
		case len(p.Trail) == 0 && a.Index == 0 && p.Root() == 0:
			return s, NotNow("the whole tree is shown already")
		case len(p.Trail) == 0 && a.Index == 0:
			p.show(Place{})
		case a.Index < 0 || a.Index >= len(p.Trail):
			return s, fmt.Errorf("there is no step %d of %d to go back to", a.Index, len(p.Trail))
		default:
			p.show(p.Trail[a.Index])
			p.Trail = slices.Clone(p.Trail[:a.Index])
		}
	}
	s.Personal.Panes = panes
	return s, nil
}

// valid reports whether the numbers of a camera are in range and none is NaN.
func (c Camera) valid() bool {
	return math.Abs(c.X) < 1e300 && math.Abs(c.Y) < 1e300 && c.Scale >= 0 && c.Scale < 1e300 && c.ScaleY >= 0 && c.ScaleY < 1e300 && math.Abs(c.Turn) <= 360 && math.Abs(c.Tilt) <= 180
}

// NotNow is the error of a valid action that has no effect in the current state. Its text is for the user.
type NotNow string

func (e NotNow) Error() string { return string(e) }

// Root is the name of the parameter of views that can show the subtree of a task: the task's id, 0 for the whole tree.
const Root = "root"

// TimeRange is the name of the parameter of views with a colour scale of time: the time of the last colour, in ns.
const TimeRange = "timerange"

// TimeSpan is the name of the parameter of views whose height is a time: that time, in ns.
const TimeSpan = "timespan"

// Find is the name of the parameter of views that mark the matches of a text. The user types it into the pane's bar.
const Find = "find"

// Root returns the task whose subtree the pane shows, 0 for the whole tree.
func (p *Pane) Root() uint64 {
	n, _ := strconv.ParseUint(p.Params[Root], 10, 64)
	return n
}

func (p *Pane) show(to Place) {
	p.set(Root, strconv.FormatUint(to.Root, 10))
	p.Camera = to.Camera
}

func (p *Pane) set(name, value string) {
	if p.Params = maps.Clone(p.Params); p.Params == nil {
		p.Params = map[string]string{}
	}
	p.Params[name] = value
}
