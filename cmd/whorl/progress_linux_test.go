package main

import (
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"whorl/testdata/must"
)

// A screen interprets what a process writes to a terminal: the sequences of a progress line, and no others.
type screen struct {
	rows                [][]byte
	row, column         int
	savedRow, savedLeft int
	bottom              int // row below the part that scrolls
}

func newScreen(rows int) *screen { return &screen{rows: make([][]byte, rows), bottom: rows} }

// down moves the cursor down, and in the bottom row scrolls.
func (s *screen) down() {
	if s.row < s.bottom-1 {
		s.row++
		return
	}
	copy(s.rows, s.rows[1:s.bottom])
	s.rows[s.bottom-1] = nil
}

// write interprets a text and returns a sequence that it does not know.
func (s *screen) write(text string) (unknown string) {
	for text != "" {
		c := text[0]
		text = text[1:]
		switch c {
		case '\r':
			s.column = 0
		case '\n':
			s.down()
		case '\x1b':
			n := 1
			if text[0] == '[' {
				n += 1 + strings.IndexAny(text[1:], "AHKr")
			}
			if !s.control(text[:n]) {
				return text[:n]
			}
			text = text[n:]
		default:
			for len(s.rows[s.row]) <= s.column {
				s.rows[s.row] = append(s.rows[s.row], ' ')
			}
			s.rows[s.row][s.column] = c
			s.column++
		}
	}
	return ""
}

// control executes the sequence after an escape character and reports whether it knows it.
func (s *screen) control(sequence string) (ok bool) {
	parameters, _, _ := strings.Cut(strings.Trim(sequence, "[AHKr"), ";")
	first, _ := strconv.Atoi(parameters)
	switch {
	case sequence == "7":
		s.savedRow, s.savedLeft = s.row, s.column
	case sequence == "8":
		s.row, s.column = s.savedRow, s.savedLeft
	case sequence == "D":
		s.down()
	case sequence == "[A":
		s.row--
	case sequence == "[K":
		s.rows[s.row] = s.rows[s.row][:min(s.column, len(s.rows[s.row]))]
	case sequence == "[r":
		s.bottom, s.row, s.column = len(s.rows), 0, 0
	case strings.HasSuffix(sequence, "r"):
		_, last, _ := strings.Cut(strings.TrimSuffix(sequence, "r"), ";")
		s.bottom, _ = strconv.Atoi(last)
		s.row, s.column = 0, 0
	case strings.HasSuffix(sequence, "H"):
		s.row, s.column = first-1, 0
	default:
		return false
	}
	return true
}

// TestProgressWhileTyping types lines that no one reads while a program computes. They stay on the screen, also after it has scrolled, with the
// progress below them until the end.
func TestProgressWhileTyping(t *testing.T) {
	for _, c := range []struct {
		name string
		rows int
	}{{"space below", 24}, {"scrolled", 4}} {
		t.Run(c.name, func(t *testing.T) {
			our, open := openTerminal(t, uint16(c.rows), 80)
			keep := open()
			defer keep.Close()
			s := startTalk(t, open(), open(), our, our, &syscall.SysProcAttr{Setsid: true, Setctty: true}, "run", "--goal", "loop(0)", "--mode", "live", "--pes", "1")
			s.says("one\rtwo\rthr")
			s.hears("thr")
			s.hears("here\x1b8")
			s.says("ee")
			s.hears("ee")
			s.hears("here\x1b8")
			s.hears("here\x1b8") // the terminal echoed the last letters before
			now := s.heard(c.rows)
			if got := string(now.rows[now.row]); got != "three" {
				t.Errorf("the line of the cursor is %q, want three: %q", got, now.rows)
			}
			if got := string(now.rows[now.row-1]); got != "two" {
				t.Errorf("the line above the cursor is %q, want two: %q", got, now.rows)
			}
			if got := string(now.rows[c.rows-1]); !strings.Contains(got, " reductions, ") {
				t.Errorf("the bottom row is %q: %q", got, now.rows)
			}
			s.says("\x03")
			s.hears("interrupted")
			now = s.heard(c.rows)
			if got := string(now.rows[now.row]); strings.Contains(got, " reductions, ") || now.bottom != c.rows {
				t.Errorf("at the end, with %d rows that scroll: %q", now.bottom, now.rows)
			}
		})
	}
}

// heard returns the screen of a terminal with the given rows after all that has been heard.
func (s *talk) heard(rows int) *screen {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	now := newScreen(rows)
	if unknown := now.write(s.said[:s.read]); unknown != "" {
		s.t.Fatalf("%q in %q", unknown, s.said)
	}
	return now
}

// TestProgressSignals ends a run by each of the signals that ask for its end. The run ends in good order and leaves all rows to others, the bottom one
// empty.
func TestProgressSignals(t *testing.T) {
	for _, end := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(end.String(), func(t *testing.T) {
			if signal.Ignored(end) {
				t.Skip("the tests, and with them whorl, were started to ignore the signal, as by nohup")
			}
			const rows = 24
			our, open := openTerminal(t, rows, 80)
			keep := open()
			defer keep.Close()
			s := startTalk(t, open(), open(), our, our, &syscall.SysProcAttr{Setsid: true, Setctty: true}, "run", "--goal", "loop(0)", "--mode", "live", "--pes", "1")
			s.hears("here\x1b8")
			if now := s.heard(rows); now.bottom != rows-1 {
				t.Errorf("%d of %d rows scroll while the progress is shown", now.bottom, rows)
			}
			must.Do(t, s.cmd.Process.Signal(end))
			s.hears("interrupted")
			now := s.heard(rows)
			if got := string(now.rows[rows-1]); now.bottom != rows || got != "" {
				t.Errorf("at the end %d of %d rows scroll, and the bottom row is %q", now.bottom, rows, got)
			}
		})
	}
}
