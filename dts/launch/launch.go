// Package launch is the contract between whorl run and the Go programs that it starts: environment variables with the
// options of the program's first run, and a report of how that run ended.
package launch

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

// Environment variables. Settings and dts.Options describe their values.
const (
	EnvPEs        = "WHORL_PES"
	EnvPolicy     = "WHORL_POLICY"
	EnvMode       = "WHORL_MODE"
	EnvMachine    = "WHORL_MACHINE"
	EnvNetwork    = "WHORL_NET"
	EnvSeed       = "WHORL_SEED"
	EnvWatched    = "WHORL_WATCHED"
	EnvMaxTime    = "WHORL_MAX_TIME"
	EnvMaxThreads = "WHORL_MAX_THREADS"
	EnvMaxMemory  = "WHORL_MAX_MEMORY"
	EnvTrace      = "WHORL_TRACE"  // file for the trace of the first run of the process
	EnvReport     = "WHORL_REPORT" // file for the Report on the first run
	EnvParent     = "WHORL_PARENT" // number of the inherited file of a Lifeline
	EnvJoin       = "WHORL_JOIN"   // URLs of the servers of a cluster that the program joins
)

// Settings are the options of a run that an environment can describe. Zero fields are not set.
type Settings struct {
	PEs        int
	Policy     string
	Mode       string
	Machine    string
	Network    string
	Seed       uint64
	Watched    bool
	MaxTime    time.Duration
	MaxThreads int64
	MaxMemory  int64 // bytes
}

// A variable is an environment variable for a field of Settings.
type variable struct {
	key      string
	value    string // of the field, "" for zero
	expected string // describes valid values
	parse    func(string) error
}

// variables returns the variables for the fields of s.
func (s *Settings) variables() []variable {
	text := func(key string, field *string) variable {
		return variable{key, *field, "", func(v string) error { *field = v; return nil }}
	}
	count := func(key string, field *int64, expected string) variable {
		return variable{key, unlessZero(*field), expected, func(v string) (err error) { *field, err = strconv.ParseInt(v, 10, 64); return err }}
	}
	return []variable{
		text(EnvPolicy, &s.Policy),
		text(EnvMode, &s.Mode),
		text(EnvMachine, &s.Machine),
		text(EnvNetwork, &s.Network),
		{EnvPEs, unlessZero(s.PEs), "a number of PEs", func(v string) (err error) { s.PEs, err = strconv.Atoi(v); return err }},
		{EnvWatched, unlessZero(s.Watched), "true or false", func(v string) (err error) { s.Watched, err = strconv.ParseBool(v); return err }},
		{EnvSeed, unlessZero(s.Seed), "a whole number of at least 0", func(v string) (err error) { s.Seed, err = strconv.ParseUint(v, 10, 64); return err }},
		{EnvMaxTime, unlessZero(s.MaxTime), "a duration such as 10s", func(v string) (err error) { s.MaxTime, err = time.ParseDuration(v); return err }},
		count(EnvMaxThreads, &s.MaxThreads, "a whole number"),
		count(EnvMaxMemory, &s.MaxMemory, "a number of bytes"),
	}
}

// unlessZero formats a value, "" if it is zero.
func unlessZero[V comparable](v V) string {
	if v == *new(V) {
		return ""
	}
	return fmt.Sprint(v)
}

// Fill sets fields that are zero from the environment. It returns an error about the first variable that it cannot
// read, or about a negative field.
func (s *Settings) Fill(lookup func(key string) (string, bool)) error {
	for _, x := range s.variables() {
		if v, ok := lookup(x.key); ok && v != "" && x.value == "" && x.parse(v) != nil {
			return fmt.Errorf("%s=%q: expected %s", x.key, v, x.expected)
		}
	}
	if s.PEs < 0 || s.MaxTime < 0 || s.MaxThreads < 0 || s.MaxMemory < 0 {
		return errors.New("dts: a number of PEs or a limit is negative")
	}
	return nil
}

// Environ returns the variables of the settings as KEY=VALUE. A zero field has an empty value, which hides a value of
// the user's environment.
func (s Settings) Environ() []string {
	var env []string
	for _, x := range s.variables() {
		env = append(env, x.key+"="+x.value)
	}
	return env
}

// Claim returns an environment variable and removes it, so that later runs of the process do not use it.
func Claim(key string) string {
	v := os.Getenv(key)
	if v != "" {
		_ = os.Unsetenv(key) // fails only in a system without an environment
	}
	return v
}
