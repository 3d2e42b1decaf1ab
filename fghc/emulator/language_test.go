package emulator

import (
	"context"
	"strings"
	"testing"
	"time"

	"whorl/fghc/compile"
	"whorl/fghc/testdata/fghctest"
	"whorl/fghc/testdata/programs"
	"whorl/sim"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// TestLanguage runs the language tests of the simulated engine on one PE and on several, with and without a collection
// before each reduction.
func TestLanguage(t *testing.T) {
	for _, file := range programs.Language() {
		for _, q := range file.Queries {
			prog, query := fghctest.Query(t, file.Name, file.Text, q.Goals)
			for i, o := range setups(t, testenv.Race) {
				answer, err := attempt(t, prog, query, o)
				switch {
				case q.Error == "" && (err != nil || answer != q.Answer):
					t.Errorf("%s: setup %d: %s, %v\nexpected %s", q.Position, i, answer, err, q.Answer)
				case q.Error != "" && (err == nil || o.PEs == 0 && !strings.Contains(err.Error(), q.Error)):
					t.Errorf("%s: setup %d: %s, %v\nexpected error %s", q.Position, i, answer, err, q.Error)
				}
			}
		}
	}
}

// setups returns options for small programs: one PE and several, with and without a collection before each reduction. It returns one of them if
// only races are looked for.
func setups(t testing.TB, race bool) []Options {
	all := []Options{{}, {Collect: true}, {PEs: 3, Policy: named(t, "random")}, {PEs: 3, Policy: named(t, "steal"), Collect: true}}
	if race {
		return all[2:3]
	}
	return all
}

func named(t testing.TB, name string) sim.Policy {
	t.Helper()
	return must.Get(policy.Named(name))(t)
}

// try runs a query and returns all variables in the format of the language tests.
func try(t testing.TB, name, text, query string, o Options) (string, error) {
	t.Helper()
	prog, q := fghctest.Query(t, name, text, query)
	return attempt(t, prog, q, o)
}

// attempt runs a compiled query like try.
func attempt(t testing.TB, prog *compile.Program, query *compile.Query, o Options) (string, error) {
	t.Helper()
	m := must.Get(New(prog, query, o))(t)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	if err := m.Run(ctx); err != nil {
		return "", err
	}
	var all []string
	for _, b := range m.Answer() {
		all = append(all, b.Name+" = "+b.Value)
	}
	return strings.Join(all, ", "), nil
}
