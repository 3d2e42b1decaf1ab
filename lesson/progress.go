package lesson

import (
	"encoding/json"
	"slices"
)

// Progress records the answers and actions of a learner, by lesson. The zero Progress is that of a beginner.
type Progress struct {
	Lessons map[string]*State `json:"lessons"`
}

// A State is the progress of one lesson.
type State struct {
	Done      []string            `json:"done,omitempty"`      // the ids of questions answered right, tasks done and predictions made
	Responses map[string]Response `json:"responses,omitempty"` // the last one to each prediction and question
	Tries     map[string]int      `json:"tries,omitempty"`     // wrong answers to each question
	Hints     map[string]int      `json:"hints,omitempty"`     // hints that were shown
}

// State returns the state of the lesson with a name. A lesson that has not begun gets an empty state.
func (p *Progress) State(name string) *State {
	if p.Lessons == nil {
		p.Lessons = map[string]*State{}
	}
	if p.Lessons[name] == nil {
		p.Lessons[name] = &State{}
	}
	return p.Lessons[name]
}

// Completed reports whether a question, a task or a prediction is done.
func (s *State) Completed(id string) bool { return slices.Contains(s.Done, id) }

// Note records a response and its verdict. A prediction is done whatever it is.
func (s *State) Note(b *Block, r Response, v Verdict) {
	if v.Invalid {
		return
	}
	if s.Responses == nil {
		s.Responses = map[string]Response{}
	}
	s.Responses[b.ID] = r
	if !v.Right && b.Kind != Predict {
		if s.Tries == nil {
			s.Tries = map[string]int{}
		}
		s.Tries[b.ID]++
		return
	}
	if !s.Completed(b.ID) {
		s.Done = append(s.Done, b.ID)
	}
}

// Count returns how many of the asks of a lesson are done. Those that the lesson no longer has do not count.
func (s *State) Count(h *Head) (done int) {
	for _, id := range h.Asks {
		if s.Completed(id) {
			done++
		}
	}
	return done
}

// ReadProgress reads what Write wrote. A damaged text gives an error.
func ReadProgress(text []byte) (Progress, error) {
	var p Progress
	err := json.Unmarshal(text, &p)
	return p, err
}

// Write returns the progress as JSON.
func (p *Progress) Write() []byte {
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		panic("lesson: progress is not written: " + err.Error())
	}
	return append(text, '\n')
}
