// Package repl evaluates the input of whorl repl. A Session holds a program, read from files and typed clause by clause, and runs goals on it,
// each on a fresh machine.
//
// A text is a command, which begins with a colon; a clause, which has :- or ends with a full stop; or else a goal. The caller reads the lines
// and shows the results (package prompt).
package repl

import (
	"context"
	"errors"
	"slices"
	"strings"

	"whorl/experiment"
	"whorl/fghc/check"
	"whorl/fghc/syntax"
)

// ErrQuit is returned by Eval for the command :quit.
var ErrQuit = errors.New("quit")

// A Session is a program and the settings of its goals. One goroutine uses it at a time.
type Session struct {
	World experiment.World // of the goals; traced steps go to its Stdout

	run   experiment.Run // the settings of goals
	trace bool
	last  *ended

	files []check.Source
	typed []entry
	ready program // assembled from both
}

// An ended is the last goal, for :stats.
type ended struct {
	goal    string
	run     experiment.Run
	result  *experiment.Result
	reached experiment.Progress
}

// New returns a session with the settings of run, or the error of resolving them.
func New(run experiment.Run) (*Session, error) {
	s := &Session{}
	return s, s.change(run)
}

// Eval evaluates a text and returns the text to show. A goal that fails, waits for ever or is interrupted returns both its answer so far and an
// error. The session can continue after any error. Eval passes watch to experiment.Prepared.Run.
func (s *Session) Eval(ctx context.Context, text string, watch func(experiment.Progress)) (shown string, err error) {
	text = strings.TrimSpace(text)
	switch {
	case len(tokensOf(text)) == 0:
		return "", nil
	case isCommand(text):
		return s.command(text)
	case s.isClause(text):
		return s.add(text)
	}
	return s.goal(ctx, text, watch)
}

// goal runs a goal on the program.
func (s *Session) goal(ctx context.Context, text string, watch func(experiment.Progress)) (string, error) {
	r := s.run
	r.Program, r.Goal = typedName, text
	p, err := r.ResolveTexts(s.ready.sources)
	if err != nil {
		if len(s.ready.held) > 0 {
			err = errors.Join(err, s.ready.held)
		}
		return "", err
	}
	p.World = s.World
	s.last = &ended{goal: text, run: p.Description}
	follow := func(reached experiment.Progress) {
		s.last.reached = reached
		if watch != nil && !s.trace {
			watch(reached)
		}
	}
	if s.trace {
		s.last.result, err = p.Trace(ctx, s.World.Stdout, experiment.Steps{}, follow)
	} else {
		s.last.result, err = p.Run(ctx, nil, follow)
	}
	if err != nil {
		s.last = nil
		return "", err
	}
	shown := s.last.result.Answer
	if err = s.last.result.Err; err == nil && shown == "" {
		shown = "yes"
	}
	return shown, err
}

// change sets the settings of goals, unless they are wrong.
func (s *Session) change(run experiment.Run) error {
	if run.Mode == experiment.Live && s.trace {
		return errors.New("goals are traced on simulated PEs only: :trace off first")
	}
	trial := run
	trial.Program, trial.Goal = typedName, "true"
	p, err := trial.ResolveTexts(nil)
	if err != nil {
		return err
	}
	run.PEs = p.Description.PEs
	s.run = run
	return nil
}

// Whole reports whether a text is complete: a clause to its full stop, a goal to its last parenthesis.
func Whole(text string) bool {
	text = strings.TrimSpace(text)
	tokens := tokensOf(text)
	if len(tokens) == 0 || isCommand(text) {
		return true
	}
	open, clause := 0, false
	for _, t := range tokens {
		switch piece := text[t.From:t.To]; {
		case t.Kind == syntax.Bracket && strings.ContainsAny(piece, "([{"):
			open++
		case t.Kind == syntax.Bracket:
			open--
		case t.Kind == syntax.Sign && piece == ":-":
			clause = true
		}
	}
	switch last := tokens[len(tokens)-1]; last.Kind {
	case syntax.Stop:
		return true
	case syntax.Comma, syntax.Bar, syntax.Sign:
		return false
	}
	return open <= 0 && !clause
}

// tokensOf returns the tokens of a text without its comments.
func tokensOf(text string) []syntax.Token {
	return slices.DeleteFunc(syntax.Tokens(text), func(t syntax.Token) bool { return t.Kind == syntax.Comment })
}

func isCommand(text string) bool {
	return len(text) > 1 && text[0] == ':' && (text[1] >= 'a' && text[1] <= 'z')
}

// isClause reports whether a text is a clause: it has :-, or it is a fact with a full stop whose procedure is in no file. Goals may end with a
// full stop too.
func (s *Session) isClause(text string) bool {
	tokens := tokensOf(text)
	if strings.HasPrefix(text, "?-") {
		return false
	}
	for _, t := range tokens {
		if t.Kind == syntax.Sign && text[t.From:t.To] == ":-" {
			return true
		}
	}
	if tokens[len(tokens)-1].Kind != syntax.Stop {
		return false
	}
	f, errs := syntax.Parse(typedName, text)
	goals, wrong := syntax.ParseGoals(typedName, text)
	switch {
	case errs.Failed():
		return wrong.Failed()
	case wrong.Failed() || len(goals) != 1 || len(f.Clauses) != 1:
		return true
	}
	name, args := goals[0].Name()
	p := syntax.Procedure{Name: name, Arity: len(args)}
	file := s.fileOf(p)
	return goals[0].Module == "" && (file == "" && !s.inModule(p) || file == typedName) && !isBuiltin(p)
}
