package launch

import (
	"encoding/json"
	"errors"
	"os"

	"whorl/tracer"
)

// A Report tells how the first run of a process ended.
type Report struct {
	Outcome tracer.Outcome `json:"outcome"`
	Err     string         `json:"error"`
}

// Write writes the report to a file.
func (r Report) Write(path string) {
	text, _ := json.Marshal(r)
	_ = os.WriteFile(path, text, 0o600) // whorl run notices a missing report
}

// ReadReport reads the report from a file. An error means that there was no run.
func ReadReport(path string) (r Report, err error) {
	text, err := os.ReadFile(path)
	if err == nil && json.Unmarshal(text, &r) != nil {
		err = errors.New("damaged")
	}
	return r, err
}
