// Package repl is what a session at a prompt knows and does: a program, read from files and typed clause by clause, and goals that are run
// on it, one after the other, each on a machine of its own.
//
// What is entered is a command, which begins with a colon; a clause, which has a :- or ends with a full stop; or else a goal. Where lines come
// from and what a terminal looks like is the caller's business.
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

// ErrQuit is returned by Eval for the command that ends the session.
var ErrQuit = errors.New("quit")

// A Session is one session. Its methods are for one goroutine at a time.
type Session struct {
	World experiment.World // of the goals; what is traced goes to its Stdout

	run   experiment.Run // how goals are run
	trace bool
	last  *ended

	files []check.Source
	typed []entry
	ready program // of both, for the next goal
}

// An ended goal, for :stats.
type ended struct {
	goal   string
	run    experiment.Run
	result *experiment.Result
	at     experiment.Progress
}

// New returns a session that runs goals as run says. Its error is of run.
func New(run experiment.Run) (*Session, error) {
	s := &Session{}
	return s, s.change(run)
}

// Eval does what is entered and returns what is to be shown of it. A goal that fails or waits for ever has an answer, too, as far as it has
// come, and is an error; so is one that the context has ended. The session can always go on. Watch is as of experiment.Prepared.Run.
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

// goal runs a goal on the program as it is.
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
	follow := func(at experiment.Progress) {
		s.last.at = at
		if watch != nil && !s.trace {
			watch(at)
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

// change sets how goals are run, where that can be done.
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

// Whole says whether a text can be entered as it is: a clause to its full stop, a goal to its last parenthesis.
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

// isClause says whether a text without a :- that ends with a full stop is a clause: the fact of a procedure that no file has. Such a goal
// may have a full stop, too.
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
