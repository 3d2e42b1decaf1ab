package report

import (
	"slices"

	"whorl/fghc/compile"
)

// Losses collects the goals of a run that collections of garbage have found to be lost: they wait for variables that no
// other goal can bind.
type Losses struct {
	Warn  func(some []Pending, n int) // if not nil, called when a collection finds n lost goals
	goals []Pending                   // some of them
	n     int
}

// Len returns the number of lost goals.
func (l *Losses) Len() int { return l.n }

// Room returns the number of goals that the error at the end of the run can still list.
func (l *Losses) Room() int { return MaxGoals - len(l.goals) }

// Add adds n goals that a collection has found; some describes the first of them, at most Room.
func (l *Losses) Add(some []Pending, n int) {
	l.goals = append(l.goals, some...)
	l.n += n
	if l.Warn != nil {
		l.Warn(some, n)
	}
}

// Deadlock returns the error of a program with a number of goals that wait forever, in addition to the lost ones; some
// describes the first of them, at most Room.
func (l *Losses) Deadlock(prog *compile.Program, waiting int, some []Pending) *Error {
	return deadlock(prog, l.n+waiting, append(slices.Clone(l.goals), some...))
}
