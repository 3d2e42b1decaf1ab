package dts

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"whorl/tracer/store"
)

// A Report is how the first run of a process ended, as it is written to the file that WHORL_REPORT names.
type Report struct {
	Outcome int64  `json:"outcome"` // 0 done, 1 failed, 2 stopped by a limit, 3 interrupted
	Err     string `json:"error"`
}

// openTrace begins the trace that the environment asks for, where there is no recorder and no earlier run of the process has it, and returns
// what is to be done at the end.
func (o *Options) openTrace() (end func(error) error, err error) {
	report := os.Getenv(EnvReport)
	reported := func(err error) error {
		if report != "" {
			writeReport(report, err)
		}
		return err
	}
	path := os.Getenv(EnvTrace)
	if path == "" || o.Recorder != nil {
		return reported, nil
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return reported, nil // an earlier run's
	}
	w, err := store.Create(path)
	if err != nil {
		return nil, err
	}
	o.Recorder = w
	return func(err error) error {
		if closed := w.Close(); closed != nil {
			err = errors.Join(err, closed)
		}
		return reported(err)
	}, nil
}

// writeReport writes how a run ended, where no earlier one has.
func writeReport(path string, err error) {
	r := Report{Outcome: outcomeOf(err)}
	if err != nil {
		r.Err = err.Error()
	}
	text, _ := json.Marshal(r)
	f, failed := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if failed != nil {
		return
	}
	defer f.Close()
	_, _ = f.Write(text)
}
