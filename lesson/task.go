package lesson

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"whorl/visual/view"
)

// A Task is something to do in the viewer. All conditions that are given have to hold in the state of the viewer.
type Task struct {
	Lang  string    `json:"lang"` // of the verdicts
	Do    []Block   `json:"do"`
	Hints [][]Block `json:"hints,omitempty"`

	View   string            `json:"view,omitempty"`   // a pane shows this view
	Params map[string]string `json:"params,omitempty"` // that pane has these parameters
	Preset []string          `json:"preset,omitempty"` // those of Params that a pane has where nobody has set them
	Run    string            `json:"run,omitempty"`    // of the run with this name; "" for any
	Select *view.Selection   `json:"select,omitempty"` // the selection
	Any    bool              `json:"any,omitempty"`    // one of the tasks of Select is enough
	Is     string            `json:"is,omitempty"`     // what the selection is, in words: "the slowest task"
	Trial  map[string]string `json:"trial,omitempty"`  // the run is tried with these settings
	Until  *view.Span        `json:"until,omitempty"`  // Shared.Until lies in this interval of ns
	Window *view.Span        `json:"window,omitempty"` // Shared.Window lies in this interval of ns
}

// Done checks the state of the viewer. The text of the verdict lists the missing steps.
func (t *Task) Done(s *view.Shared, p *view.Personal) Verdict {
	var missing []string
	need := func(ok bool, text string) {
		if !ok {
			missing = append(missing, text)
		}
	}
	if t.View != "" {
		need(slices.ContainsFunc(p.Panes, t.shownIn), t.say("open the view %s", t.View+t.settings()))
	}
	if t.Select != nil {
		sel := s.Selection
		ok := (t.Run == "" || sel.Trace == t.Run) && (t.Any && oneOf(sel, t.Select.Tasks) || !t.Any && same(sel, *t.Select))
		sentence := "select %s"
		if !sel.Empty() {
			sentence = "select %s, and nothing else"
		}
		need(ok, t.say(sentence, t.Is))
	}
	if len(t.Trial) > 0 {
		need(t.tried(s), t.say("try the run with %s", list(t.Trial)))
	}
	if t.Until != nil {
		need(s.Until != nil && within(*s.Until, *t.Until), t.say("move the time to the place that is asked for"))
	}
	if t.Window != nil {
		need(s.Window != nil && within(s.Window.First, *t.Window) && within(s.Window.Last, *t.Window), t.say("choose the window of time that is asked for"))
	}
	if missing == nil {
		return Verdict{Right: true, Text: t.say("Done") + "."}
	}
	text := strings.Join(missing, "; ") + "."
	first, size := utf8.DecodeRuneInString(text)
	return Verdict{Text: string(unicode.ToUpper(first)) + text[size:]}
}

func (t *Task) say(sentence string, args ...any) string { return Say(t.Lang, sentence, args...) }

func (t *Task) shownIn(p view.Pane) bool {
	if p.View != t.View || t.Run != "" && p.Trace != t.Run {
		return false
	}
	for name, value := range t.Params {
		if has, ok := p.Params[name]; has != value && (ok || !slices.Contains(t.Preset, name)) {
			return false
		}
	}
	return true
}

// settings names the parameters that the pane must have.
func (t *Task) settings() string {
	if len(t.Params) == 0 {
		return ""
	}
	return ": " + list(t.Params)
}

func (t *Task) tried(s *view.Shared) bool {
	for _, trial := range s.Trials {
		if t.Run != "" && trial.Trace != t.Run {
			continue
		}
		all := true
		for name, value := range t.Trial {
			all = all && trial.Settings[name] == value
		}
		if all {
			return true
		}
	}
	return false
}

// list returns settings as text, in the order of their names.
func list(settings map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		parts = append(parts, name+" "+settings[name])
	}
	return strings.Join(parts, ", ")
}

func within(t int64, s view.Span) bool { return s.First <= t && t <= s.Last }

// same reports whether a selection selects the tasks, PEs, codes and lines that are wanted, and no others. Whether a task stands for its subtree
// does not matter, nor do contexts unless some are wanted: the context of a function has its code.
func same(sel, want view.Selection) bool {
	return slices.Equal(taskRanges(sel.Tasks), taskRanges(want.Tasks)) && slices.Equal(sel.PEs, want.PEs) && slices.Equal(sel.Codes, want.Codes) &&
		slices.Equal(sel.Lines, want.Lines) && (want.Contexts == nil || slices.Equal(sel.Contexts, want.Contexts))
}

// oneOf reports whether a selection is a single task of those that are wanted.
func oneOf(sel view.Selection, want []view.Tasks) bool {
	got := taskRanges(sel.Tasks)
	return len(got) == 1 && got[0].First == got[0].Last && same(sel, view.Selection{Tasks: sel.Tasks}) &&
		slices.ContainsFunc(taskRanges(want), func(t view.Tasks) bool { return t.First <= got[0].First && got[0].First <= t.Last })
}

// taskRanges returns tasks as joined ranges with both ends, in ascending order.
func taskRanges(tasks []view.Tasks) (out []view.Tasks) {
	for _, t := range tasks {
		out = append(out, view.Tasks{First: t.First, Last: max(t.First, t.Last)})
	}
	slices.SortFunc(out, func(a, b view.Tasks) int {
		if a.First < b.First {
			return -1
		}
		return 1
	})
	joined := out[:0]
	for _, t := range out {
		if n := len(joined); n > 0 && t.First <= joined[n-1].Last+1 {
			joined[n-1].Last = max(joined[n-1].Last, t.Last)
		} else {
			joined = append(joined, t)
		}
	}
	return joined
}
