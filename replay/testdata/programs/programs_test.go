package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/gotrace"
	"whorl/tracer/formats/profile"
)

// TestPrograms runs each program with both kinds of types: the work is the same, and another amount of it has another result.
func TestPrograms(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			sum := must.Get(p.run(&kit{scale: 0.01}))(t)
			if again := must.Get(p.run(&kit{scale: 0.01, observe: true, regions: true}))(t); again != sum || sum == 0 {
				t.Errorf("%d, observed %d", sum, again)
			}
			for _, f := range p.functions {
				if other := must.Get(p.run(&kit{scale: 0.01, factors: map[string]float64{f: 0.5}}))(t); other == sum {
					t.Errorf("with half of %s the result is the same", f)
				}
			}
		})
	}
}

// TestRun records the programs and finds the body and, where they are observed, operations in their traces.
func TestRun(t *testing.T) {
	for _, p := range programs {
		for _, observed := range []string{"false", "true"} {
			file := filepath.Join(t.TempDir(), "trace")
			var out bytes.Buffer
			must.Do(t, run([]string{"-program", p.name, "-scale", "0.01", "-procs", "2", "-observe=" + observed, "-trace", file, "-slower", p.functions[0] + "=2"}, &out))
			if ns, err := strconv.ParseInt(strings.TrimSpace(out.String()), 10, 64); err != nil || ns <= 0 {
				t.Errorf("%s prints %q", p.name, out.String())
			}
			m := tracer.NewMemory()
			must.Do(t, gotrace.Read(profile.File{R: must.Get(os.Open(file))(t)}, m, profile.Options{}))
			body, done := false, false
			for _, c := range m.Dict().Codes() {
				body = body || c.Type == tracer.Name && c.Name == "body"
				done = done || c.Type == tracer.Name && strings.HasPrefix(c.Name, "observe ")
			}
			if meta := m.Meta(); !body || done != (observed == "true") || meta.Missing() != "" {
				t.Errorf("%s, observe %s: body %v, operations %v, missing %q", p.name, observed, body, done, meta.Missing())
			}
		}
	}
}

func TestWrong(t *testing.T) {
	for args, want := range map[string]string{
		"-program lok":                         "lock",
		"-program lock -slower critcal=2":      "critical",
		"-program lock -slower critical":       "expected FUNCTION=FACTOR",
		"-program lock -faster critical=0":     "expected FUNCTION=FACTOR",
		"-program lock -trace /nowhere/at/all": "/nowhere/at/all",
	} {
		if err := run(strings.Fields(args), &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", args, err, want)
		}
	}
}
