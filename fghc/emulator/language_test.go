package emulator

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/fghc/testdata/fghctest"
	"whorl/sim"
	"whorl/sim/policy"
	"whorl/testdata/testenv"
)

// TestLanguage runs the language tests of the simulated engine on one PE and on several, with and without a collection before each reduction.
func TestLanguage(t *testing.T) {
	files, err := filepath.Glob("../engine/testdata/*.[fk]*")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		query, queryLine := "", 0
		for n, line := range strings.Split(string(text), "\n") {
			switch {
			case strings.HasPrefix(line, "%? "):
				query, queryLine = line[3:], n+1
			case strings.HasPrefix(line, "%=") || strings.HasPrefix(line, "%!"):
				for i, o := range setups(t) {
					answer, err := try(t, filepath.Base(file), string(text), query, o)
					want := strings.TrimSpace(line[2:])
					switch {
					case line[1] == '=' && (err != nil || answer != want):
						t.Errorf("%s:%d: setup %d: %s, %v\nexpected %s", file, queryLine, i, answer, err, want)
					case line[1] == '!' && (err == nil || o.PEs == 0 && !strings.Contains(err.Error(), want)):
						t.Errorf("%s:%d: setup %d: %s, %v\nexpected error %s", file, queryLine, i, answer, err, want)
					}
				}
				query = ""
			}
		}
	}
}

// setups returns options for small programs: one PE and several, with and without a collection before each reduction.
func setups(t testing.TB) []Options {
	all := []Options{{}, {Collect: true}, {PEs: 3, Policy: named(t, "random")}, {PEs: 3, Policy: named(t, "steal"), Collect: true}}
	if testenv.Race {
		return all[2:3]
	}
	return all
}

func named(t testing.TB, name string) sim.Policy {
	t.Helper()
	p, err := policy.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// try runs a query and returns all variables in the format of the language tests.
func try(t testing.TB, name, text, query string, o Options) (string, error) {
	t.Helper()
	prog, q := fghctest.Query(t, name, text, query)
	m, err := New(prog, q, o)
	if err != nil {
		t.Fatal(err)
	}
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
