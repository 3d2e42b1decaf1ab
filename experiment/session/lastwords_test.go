package session

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
)

// A leaver is a client that closed its end before anything was sent to it, and whose last frames arrive late.
type leaver struct {
	words  io.Reader
	closed chan struct{}
}

func (leaver) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func (l leaver) Read(b []byte) (int, error) {
	select {
	case <-l.closed:
		return 0, os.ErrClosed
	case <-time.After(50 * time.Millisecond):
		return l.words.Read(b)
	}
}

func (l leaver) Close() error { close(l.closed); return nil }

// TestLastWords feeds a client that took leave, although sending to it fails.
func TestLastWords(t *testing.T) {
	for _, c := range []struct {
		words string
		want  error
	}{
		{string(appendFrame(nil, frameClose, nil)), nil},
		{string(appendFrame(appendFrame(nil, frameReplay, nil), frameClose, nil)), ErrReplayed},
		{"", ErrViewerGone},
	} {
		s := must.Get(Start(smallPascal()))(t)
		if err := Feed(s, leaver{strings.NewReader(c.words), make(chan struct{})}); !errors.Is(err, c.want) {
			t.Errorf("%q: %v, want %v", c.words, err, c.want)
		}
		s.Close()
		<-s.Done()
	}
}
