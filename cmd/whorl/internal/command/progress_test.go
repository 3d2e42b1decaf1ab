package command

import (
	"strings"
	"testing"
	"time"
)

// TestProgress divides a terminal when the line appears and again when the terminal has another height, cuts the line at its width, and leaves the
// whole terminal to others at the end.
func TestProgress(t *testing.T) {
	var out strings.Builder
	columns, rows := 80, 24
	p := &Progress{w: &out, size: func() (int, int, error) { return columns, rows, nil }}
	told := func(text string) string {
		out.Reset()
		p.begin, p.last = time.Now().Add(-time.Hour), time.Time{}
		p.Say("%s", text)
		return out.String()
	}
	const divided = "\x1bD\x1b[A\x1b7\x1b[1;23r\x1b8"
	const first = "\x1b7\x1b[24;1H\x1b[Kbegun, 1h0m0s here\x1b8"
	if got := told("begun"); got != divided+first {
		t.Errorf("the line begins with %q", got)
	}
	if got, want := told("halfway"), "\x1b7\x1b[24;1H\x1b[Khalfway, 1h0m0s here\x1b8"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	columns, rows = 6, 10
	if got, want := told("halfway"), "\x1bD\x1b[A\x1b7\x1b[1;9r\x1b8\x1b7\x1b[10;1H\x1b[Khalfwa\x1b8"; got != want {
		t.Errorf("on a smaller terminal %q, want %q", got, want)
	}
	out.Reset()
	p.Done()
	if got, want := out.String(), "\x1b7\x1b[r\x1b[10;1H\x1b[K\x1b8"; got != want {
		t.Errorf("the end is %q, want %q", got, want)
	}
	if got := told("late"); got != "" {
		t.Errorf("%q after the end", got)
	}
}

// TestProgressWithoutSpace shows nothing before a second has passed, in two rows, and twice at the same time.
func TestProgressWithoutSpace(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		name        string
		begin, last time.Time
		rows        int
	}{
		{"early", now.Add(time.Hour), now.Add(-time.Hour), 24},
		{"again", now.Add(-time.Hour), now.Add(time.Hour), 24},
		{"flat", now.Add(-time.Hour), now.Add(-time.Hour), 2},
	} {
		var out strings.Builder
		p := &Progress{w: &out, size: func() (int, int, error) { return 80, c.rows, nil }, begin: c.begin, last: c.last}
		p.Say("text")
		if out.Len() > 0 {
			t.Errorf("%s: %q", c.name, out.String())
		}
		p.Done()
		if out.Len() > 0 {
			t.Errorf("%s: the end is %q", c.name, out.String())
		}
	}
}
