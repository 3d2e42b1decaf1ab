package dts

import (
	"encoding/json"
	"errors"
	"os"

	"whorl/tracer/store"
)

// A Report is how the first run of a process ended, as it is written to the file that WHORL_REPORT names.
type Report struct {
	Outcome int64  `json:"outcome"` // 0 done, 1 failed, 2 stopped by a limit, 3 interrupted
	Err     string `json:"error"`
}

// openTrace begins the trace that the environment asks for, where there is no recorder, and returns what is to be done at the end. What it
// takes from the environment is not there any more for a later run of the process.
func (o *Options) openTrace() (end func(error) error, err error) {
	report := take(EnvReport)
	reported := func(err error) error {
		if report != "" {
			writeReport(report, err)
		}
		return err
	}
	if o.Recorder != nil {
		return reported, nil
	}
	path := take(EnvTrace)
	if path == "" {
		return reported, nil
	}
	if _, err := resolve(*o); err != nil { // nothing is written for a run that never begins
		return nil, reported(err)
	}
	w, err := store.Create(path)
	if err != nil {
		return nil, reported(err)
	}
	o.Recorder = w
	return func(err error) error {
		if closed := w.Close(); closed != nil {
			err = errors.Join(err, closed)
		}
		return reported(err)
	}, nil
}

// take returns a variable of the environment and removes it.
func take(key string) string {
	v := os.Getenv(key)
	if v != "" {
		_ = os.Unsetenv(key) // an empty name or a system without an environment
	}
	return v
}

// writeReport writes how a run ended.
func writeReport(path string, err error) {
	r := Report{Outcome: outcomeOf(err)}
	if err != nil {
		r.Err = err.Error()
	}
	text, _ := json.Marshal(r)
	_ = os.WriteFile(path, text, 0o600) // whorl run sees that there is none
}
