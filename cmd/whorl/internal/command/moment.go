package command

import (
	"strconv"
	"time"
)

// Moment is the value of a flag with a time after the beginning of a trace. The zero Moment is the end of the trace.
type Moment struct {
	after time.Duration
	given bool
}

// Set parses a time of at least 0.
func (m *Moment) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return strconv.ErrSyntax
	}
	m.after, m.given = d, true
	return nil
}

func (m *Moment) String() string {
	if !m.given {
		return ""
	}
	return m.after.String()
}

// Type returns the name of the type in package pflag.
func (*Moment) Type() string { return "moment" }

// Time returns the time in a trace that begins at from, in ns; nil for the end.
func (m *Moment) Time(from int64) *int64 {
	if !m.given {
		return nil
	}
	at := from + int64(m.after)
	return &at
}
