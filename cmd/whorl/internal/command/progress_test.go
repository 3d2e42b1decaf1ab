package command

import (
	"strings"
	"testing"
	"time"
)

// typing is a reader during whose reads the run reports its progress.
type typing struct{ p *Progress }

func (t typing) Read(b []byte) (int, error) {
	t.p.Say("halfway")
	return copy(b, "x"), nil
}

// TestProgressDuringInput shows the line before and after a read, and hides it while the user types.
func TestProgressDuringInput(t *testing.T) {
	var out strings.Builder
	p := &Progress{w: &out, begin: time.Now().Add(-time.Hour)}
	in := p.During(typing{p})
	p.Say("begun")
	p.last = time.Time{}
	b := make([]byte, 1)
	if n, err := in.Read(b); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	p.Say("done")
	got := out.String()
	if !strings.Contains(got, "begun") || strings.Contains(got, "halfway") || !strings.Contains(got, "done") {
		t.Errorf("%q", got)
	}
	if begun, rest, _ := strings.Cut(got, "\r\x1b[Kdone"); !strings.HasSuffix(begun, "here\r\x1b[K") || rest == "" {
		t.Errorf("%q: the line stays while the user types", got)
	}
}
