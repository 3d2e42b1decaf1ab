package command

import (
	"strconv"
	"strings"
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

// Interval is the value of a flag with a range of times after the beginning of a trace, as in 1ms..2.5ms. The zero Interval is the whole trace.
type Interval struct{ first, last Moment }

// Set parses two times, the second not before the first.
func (i *Interval) Set(text string) error {
	a, b, ok := strings.Cut(text, "..")
	if !ok || i.first.Set(a) != nil || i.last.Set(b) != nil || i.last.after < i.first.after {
		return strconv.ErrSyntax
	}
	return nil
}

func (i *Interval) String() string {
	if !i.first.given {
		return ""
	}
	return i.first.String() + ".." + i.last.String()
}

// Type returns the name of the type in package pflag.
func (*Interval) Type() string { return "interval" }

// Times returns the first and the last time in a trace that begins at from, in ns; false for the whole trace.
func (i *Interval) Times(from int64) (first, last int64, ok bool) {
	return from + int64(i.first.after), from + int64(i.last.after), i.first.given
}
