package dts

import (
	"encoding/json"
	"errors"
	"os"

	"whorl/tracer/store"
)

// A Report tells how the first run of a process ended. It is written to the file named by WHORL_REPORT.
type Report struct {
	Outcome int64  `json:"outcome"` // 0 done, 1 failed, 2 stopped by a limit, 3 interrupted
	Err     string `json:"error"`
}

// openTrace opens the trace named by the environment, unless there is a recorder, and returns the function to call at
// the end of the run. It removes the variables from the environment, so that later runs of the process do not use
// them.
func (o *Options) openTrace() (end func(error) error, err error) {
	report := takeEnv(EnvReport)
	reported := func(err error) error {
		if report != "" {
			writeReport(report, err)
		}
		return err
	}
	if o.Recorder != nil {
		return reported, nil
	}
	path := takeEnv(EnvTrace)
	if path == "" {
		return reported, nil
	}
	if _, err := resolve(*o); err != nil { // a run that never begins leaves no file
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

// takeEnv returns an environment variable and removes it.
func takeEnv(key string) string {
	v := os.Getenv(key)
	if v != "" {
		_ = os.Unsetenv(key) // fails only in a system without an environment
	}
	return v
}

// writeReport writes the Report of a run.
func writeReport(path string, err error) {
	r := Report{Outcome: outcomeOf(err)}
	if err != nil {
		r.Err = err.Error()
	}
	text, _ := json.Marshal(r)
	_ = os.WriteFile(path, text, 0o600) // whorl run notices a missing report
}
