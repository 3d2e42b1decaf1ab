package experiment

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"whorl/internal/nearest"
	"whorl/internal/shell"
)

// Command returns the command that makes a run again and keeps its trace in a file; "" keeps none.
func (r *Run) Command(trace string) string {
	words := append([]string{"whorl", "run", r.Program}, r.Args...)
	if r.Trace {
		words = []string{"whorl", "replay", r.Program}
	}
	add := func(flag, value, usual string) {
		if value != usual {
			words = append(words, "--"+flag, value)
		}
	}
	add("goal", r.Goal, "")
	add("mode", string(r.Mode), "")
	add("pes", strconv.Itoa(r.PEs), "")
	if substrate, err := r.Substrate(); err != nil || substrate != "hpf" {
		add("policy", r.Policy, "")
		add("seed", strconv.FormatUint(r.Seed, 10), "")
	}
	if r.Mode != Live {
		add("machine", r.Machine, RecordedMachine)
		add("net", r.Network, "")
	}
	for _, speed := range r.Speeds {
		add("speed", speed, "")
	}
	for _, reason := range r.Zero {
		add("zero", reason, "")
	}
	add("map", r.Map, "")
	if r.Limits.Time > 0 {
		add("max-time", r.Limits.Time.String(), "")
	}
	if r.Limits.Reductions > 0 {
		add("max-reductions", strconv.FormatInt(r.Limits.Reductions, 10), "")
	}
	if trace != "" {
		words = append(words, "-o", trace)
	}
	return shell.Line(words...)
}

// ParseCommand returns the run of a command that Command has returned. It does not execute the run.
func ParseCommand(text string) (Run, error) {
	words, err := shell.Words(text)
	if err != nil {
		return Run{}, err
	}
	if len(words) < 3 || words[0] != "whorl" || words[1] != "run" {
		return Run{}, fmt.Errorf("%s: expected whorl run and a program", nearest.Quote(text))
	}
	r := Defaults(words[2])
	r.Args = nil
	rest := words[3:]
	for len(rest) > 0 && rest[0] != "-o" && !strings.HasPrefix(rest[0], "--") {
		r.Args, rest = append(r.Args, rest[0]), rest[1:]
	}
	for ; len(rest) >= 2; rest = rest[2:] {
		if err := r.setFlag(rest[0], rest[1]); err != nil {
			return Run{}, err
		}
	}
	if len(rest) > 0 {
		return Run{}, fmt.Errorf("%s has no value", rest[0])
	}
	return r, nil
}

// setFlag sets the field for a flag of whorl run.
func (r *Run) setFlag(flag, value string) (err error) {
	switch flag {
	case "--goal":
		r.Goal = value
	case "--mode":
		r.Mode = Mode(value)
	case "--pes":
		r.PEs, err = strconv.Atoi(value)
	case "--policy":
		r.Policy = value
	case "--seed":
		r.Seed, err = strconv.ParseUint(value, 10, 64)
	case "--machine":
		r.Machine = value
	case "--net":
		r.Network = value
	case "--max-time":
		r.Limits.Time, err = time.ParseDuration(value)
	case "--max-reductions":
		r.Limits.Reductions, err = strconv.ParseInt(value, 10, 64)
	case "-o":
	default:
		err = errors.New("not a flag of the runs of a sweep")
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", flag, value, err)
	}
	return nil
}
