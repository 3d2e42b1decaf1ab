package repl

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/testdata/must"
)

func newSession(t *testing.T) *Session {
	t.Helper()
	return must.Get(New(experiment.Defaults("")))(t)
}

// TestWhole checks which texts are complete and which continue on the next line.
func TestWhole(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"", true},
		{"% a comment", true},
		{"p(X)", true},
		{"p(X), q(X)", true},
		{"X := 1", true},
		{"p(X).", true},
		{"p(X) :- q(X).", true},
		{":load a.fghc", true},
		{":trace", true},
		{"?- p(X)", true},
		{"X = \"(\"", true},
		{"X = '(' % (", true},
		{"p(X),", false},
		{"p(X", false},
		{"X = [1,", false},
		{"X = {1, [2]", false},
		{"X :=", false},
		{"p(X) :- q(X)", false},
		{"p(X) :-", false},
		{"p(X) :- X > 0 |", false},
		{"p(X), % and", false},
		{"p(X) :- q(X). % done", true},
		{"p :- q(a.b).", true},
		{":- module m", false},
		{"p(\":-\")", true},
		{"otherwise", true},
		{"p(X)) ", true},
		{"p(X) :- X = [a|Y], q.", true},
	} {
		if got := Whole(c.text); got != c.want {
			t.Errorf("%q: %v", c.text, got)
		}
	}
}

// TestKinds checks which texts are clauses and which are goals.
func TestKinds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.fghc")
	inModule := filepath.Join(t.TempDir(), "b.kl1")
	for _, c := range []struct{ name, text string }{{file, "p(_).\n"}, {inModule, ":- module b.\nu(_).\n"}} {
		must.Do(t, os.WriteFile(c.name, []byte(c.text), 0o600))
	}
	s := newSession(t)
	must.Get(s.Load([]string{file, inModule}))(t)
	must.Get(s.Eval(context.Background(), "typed(1).", nil))(t)
	for _, c := range []struct {
		text string
		want bool
	}{
		{"p(1)", false},
		{"p(1).", false}, // a procedure of a file
		{"u(1).", false}, // a procedure of a module
		{"u(1, 2).", true},
		{"?- r(1).", false},
		{"r(1).", true},
		{"r(1), s(2).", false},
		{"p(1, 2).", true}, // another procedure
		{"typed(2).", true},
		{"typed(2)", false},
		{"X := 1 + 2.", false}, // a builtin
		{"X = 1, p(X).", false},
		{"r(X) :- true.", true},
		{"r(X) :- p(X)", true}, // a clause with an error
		{"m:r(1).", false},
		{"r :- X = 'a.'.", true},
		{"r(1). r(2).", true},
		{":- module m.", true}, // a clause with an error
	} {
		if got := s.isClause(c.text); got != c.want {
			t.Errorf("%q: %v", c.text, got)
		}
	}
}

// TestSession enters lines in order and checks the answers.
func TestSession(t *testing.T) {
	s := newSession(t)
	for _, c := range []struct{ text, shown, err string }{
		{":stats", "", "no goal has been run yet"},
		{":list", "the program is empty: :load FILE, or type clauses", ""},
		{"X := 6 * 7", "X = 42", ""},
		{"up(X, Y) :- Y := X + 1.", "up/2: 1 clause", ""},
		{"up(1, Y)", "Y = 2", ""},
		{"twice(X, Y) :- up(X, Z), upp(Z, Y).", "twice/2 cannot be called yet:\ntyped:2:26: unknown procedure upp/2", ""},
		{"up(1, Y)", "Y = 2", ""}, // not affected by the bad clause
		{"upp(X, Y) :- up(X, Y).", "upp/2: 1 clause", ""},
		{"twice(1, Y)", "Y = 3", ""},
		{":list", "up(X, Y) :- Y := X + 1.\ntwice(X, Y) :- up(X, Z), upp(Z, Y).\nupp(X, Y) :- up(X, Y).", ""},
		{":forget upp/2", "these typed procedures cannot be called yet:\ntyped:2:26: unknown procedure upp/2", ""},
		{"twice(1, Y)", "", "goal:1:1: unknown procedure twice/2"},
		{":forget upp/2", "", `unknown typed procedure "upp/2"; did you mean up/2`},
		{"odd(X) :- integer(Y) | up(X, _).", "", "typed:3:19: "},
		{"typo(X) :- X >.", "", "typed:1:15: "},
		{":- module m.", "", "typed clauses belong to no module"},
		{"odd(X)-S :- true | true.", "", ""}, // a pair is two arguments
		{"odd(1, a, a)", "yes", ""},
		{"odd(1, a, b)", "", "unification failure: "},
		{"\x00", "", "goal: not a text file"},
		{":help hash", "hash/2  hash(T, H): ", ""},
		{":help hsah", "", `unknown builtin "hsah"; did you mean hash`},
		{":hel", "goal", ""},
		{":help me now", "", `:help does not know what to do with "now"`},
		{":trace maybe", "", `unknown value "maybe"; known are on, off`},
		{":load", "", ":load needs a file"},
	} {
		shown, err := s.Eval(context.Background(), c.text, nil)
		if !strings.HasPrefix(shown, c.shown) || c.shown == "" && c.err != "" && shown != "" {
			t.Errorf("%q shows %q, want %q", c.text, shown, c.shown)
		}
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: error %v, want %q", c.text, err, c.err)
		}
	}
	if _, err := s.Eval(context.Background(), ":quit", nil); !errors.Is(err, ErrQuit) {
		t.Errorf(":quit: %v", err)
	}
}

// TestInterrupt interrupts goals; the session continues.
func TestInterrupt(t *testing.T) {
	for _, mode := range []string{"sim", "live"} {
		s := newSession(t)
		for _, line := range []string{"loop :- loop.", ":mode " + mode} {
			must.Get(s.Eval(context.Background(), line, nil))(t)
		}
		ctx, cancel := context.WithCancel(context.Background())
		watched := 0
		_, err := s.Eval(ctx, "X = 1, loop", func(experiment.Progress) {
			if watched++; watched == 3 {
				cancel()
			}
		})
		if err == nil || err.Error() != "interrupted" || watched < 3 {
			t.Errorf("%s: %v after %d looks", mode, err, watched)
		}
		if shown, err := s.Eval(context.Background(), "X = 2", nil); shown != "X = 2" || err != nil {
			t.Errorf("%s: %q, %v", mode, shown, err)
		}
		cancel()
	}
}

// TestComplete completes the word at the cursor, which a | in the line marks.
func TestComplete(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, c := range []struct{ name, text string }{{"sort.fghc", "sort(_, _).\nsorted :- true | true.\n'Odd'(_).\n"}, {"lib.kl1", ":- module lib.\nrun(_).\n"}, {"notes.txt", ""}} {
		must.Do(t, os.WriteFile(c.name, []byte(c.text), 0o600))
	}
	must.Do(t, os.Mkdir("more", 0o700))
	s := newSession(t)
	must.Get(s.Load([]string{"sort.fghc", "lib.kl1"}))(t)
	must.Get(s.Eval(context.Background(), "sorts(a).", nil))(t)
	for _, c := range []struct{ line, want string }{
		{"so|", "sort( sorted sorts("},
		{"X = 1, so|rted", "sort( sorted sorts("},
		{"p(é, so|)", "sort( sorted sorts("},
		{"lib:r|", "lib:run("},
		{"ru|", "run("},
		{"new_v|", "new_vector("},
		{"generic:spl|", "generic:split("},
		{"wai|", ""}, // for guards only
		{"zz|", ""},
		{"|", ""},
		{"X = |", ""},
		{":|", ":forget :help :list :load :mode :pes :policy :quit :reload :stats :trace"},
		{":p|", ":pes :policy"},
		{":load |", "lib.kl1 more/ sort.fghc"},
		{":load sort.fghc l|", "lib.kl1"},
		{":load " + dir + "/l|", dir + "/lib.kl1"},
		{":load nowhere/|", ""},
		{":policy ste|", "steal steal-half steal-lifeline steal-near"},
		{":mode |", "live sim"},
		{":forget |", "sorts/1"},
		{":pes |", ""},
		{":nonsense |", ""},
		{":- so|", "sort( sorted sorts("},
	} {
		left, right, _ := strings.Cut(c.line, "|")
		head, words, tail := s.Complete(left+right, len([]rune(left)))
		if got := strings.Join(words, " "); got != c.want {
			t.Errorf("%q: %s, want %s", c.line, got, c.want)
		}
		if !strings.HasPrefix(left, head) || tail != right {
			t.Errorf("%q: %q before and %q behind", c.line, head, tail)
		}
		if slices.ContainsFunc(words, func(w string) bool { return !strings.HasPrefix(w, strings.TrimPrefix(left, head)) }) {
			t.Errorf("%q: %q does not go on with %q", c.line, words, strings.TrimPrefix(left, head))
		}
	}
}

// FuzzEval enters arbitrary texts and checks that the session continues.
func FuzzEval(f *testing.F) {
	for _, text := range []string{"X = 1", "p(X) :- q.", ":load", "?- ", ".", ":- module m.", "otherwise.", "p-S-T.", "p. q. p.", ":forget p/0", "X = f(", "\"", "/*"} {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if strings.HasPrefix(strings.TrimSpace(a), ":l") || strings.HasPrefix(strings.TrimSpace(b), ":l") {
			t.Skip("files")
		}
		s := newSession(t)
		s.run.Limits.Reductions = 1000
		for _, text := range []string{a, b, a} {
			Whole(text)
			s.Complete(text, len(text)/2)
			_, _ = s.Eval(context.Background(), text, nil)
		}
		if shown, err := s.Eval(context.Background(), "?- X = 1", nil); err != nil || shown != "X = 1" {
			t.Errorf("after %q and %q: %q, %v", a, b, shown, err)
		}
	})
}
