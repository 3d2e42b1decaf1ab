package unit

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"whorl/hpfsim/folder"
	"whorl/testdata/must"
)

// code returns the number of IOSTAT= for an error.
func code(err error) int64 {
	var e *Error
	switch {
	case err == nil:
		return 0
	case errors.Is(err, io.EOF):
		return CodeEnd
	case errors.As(err, &e):
		return e.Code
	}
	return CodeValue
}

var text, raw = Transfer{Formatted: true}, Transfer{}

// opened opens unit 9 in a folder.
func opened(t *testing.T, f folder.Folder, s Spec) *Connection {
	t.Helper()
	table := New(Options{Folder: f})
	s.Unit, s.File = 9, "x"
	must.Do(t, table.Open(s))
	return table.Connected(9)
}

// put writes a formatted record.
func put(t *testing.T, c *Connection, s string) {
	t.Helper()
	must.Do(t, c.BeginWrite(text))
	must.Do(t, c.Text([]byte(s)))
	must.Do(t, c.EndRecord())
	must.Do(t, c.EndWrite())
}

// TestEnd checks that only BACKSPACE and REWIND follow the end of a file.
func TestEnd(t *testing.T) {
	c := opened(t, &folder.Memory{}, Spec{})
	put(t, c, "one")
	must.Do(t, c.Rewind())
	for _, want := range []int64{0, CodeEnd} {
		must.Do(t, c.BeginRead(text))
		if _, err := c.Record(); code(err) != want {
			t.Errorf("%v, want %d", err, want)
		}
	}
	if err := c.BeginRead(text); code(err) != codeConflict {
		t.Errorf("READ after the end: %v", err)
	}
	if err := c.BeginWrite(text); code(err) != codeConflict {
		t.Errorf("WRITE after the end: %v", err)
	}
	must.Do(t, c.Backspace())
	put(t, c, "two")
	if c.window().size != int64(len("one\ntwo\n")) {
		t.Errorf("%d bytes", c.window().size)
	}
}

// TestParts checks unformatted records that are longer than a marker can say.
func TestParts(t *testing.T) {
	for _, size := range []int{0, 1, 9, 10, 11, 20, 95} {
		m := &folder.Memory{}
		c := opened(t, m, Spec{Form: "UNFORMATTED"})
		record := func(fill byte, n int) {
			must.Do(t, c.BeginWrite(raw))
			c.most = 10
			must.Do(t, c.WriteBytes([]byte(strings.Repeat(string(fill), n))))
			must.Do(t, c.EndWritten())
			must.Do(t, c.EndWrite())
		}
		record('a', 3)
		record('b', size)
		record('c', 4)
		must.Do(t, c.Backspace())
		must.Do(t, c.Backspace())
		got := make([]byte, size)
		must.Do(t, c.BeginRead(raw))
		must.Do(t, c.ReadBytes(got))
		if err := c.ReadBytes(make([]byte, 1)); code(err) != codeShort {
			t.Errorf("%d bytes: one more: %v", size, err)
		}
		must.Do(t, c.EndBody())
		if string(got) != strings.Repeat("b", size) {
			t.Errorf("%d bytes: %q", size, got)
		}
		must.Do(t, c.BeginRead(raw))
		must.Do(t, c.ReadBytes(got[:min(size, 4)]))
		must.Do(t, c.EndBody())
		if err := c.BeginRead(raw); code(err) != CodeEnd {
			t.Errorf("%d bytes: the end: %v", size, err)
		}
	}
}

// TestWindow compares a window with plain bytes under random operations, across its edges.
func TestWindow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	f := must.Get((&folder.Memory{}).Scratch())(t)
	w := must.Get(newWindow(f))(t)
	var want []byte
	for step := range 3000 {
		n := r.IntN(3 * windowSize / 2)
		switch r.IntN(5) {
		case 0:
			w.pos = int64(r.IntN(len(want) + 1))
		case 1:
			if len(want) < 1<<20 {
				p := []byte(strings.Repeat(string(rune('a'+step%26)), n))
				at := int(w.pos)
				must.Do(t, w.write(p))
				want = append(want, make([]byte, max(at+n-len(want), 0))...)
				copy(want[at:], p)
			}
		case 2:
			must.Do(t, w.cut())
			want = want[:min(int(w.pos), len(want))]
		case 3:
			if at := r.IntN(len(want) + 1); at+4 <= len(want) {
				before := w.pos
				must.Do(t, w.patch([]byte("1234"), int64(at)))
				copy(want[at:], "1234")
				w.pos = before
			}
		default:
			at := int(w.pos)
			p := make([]byte, n)
			k := must.Get(read(w, p))(t)
			if string(p[:k]) != string(want[at:min(at+n, len(want))]) {
				t.Fatalf("step %d: wrong bytes from %d on", step, at)
			}
		}
		if int(w.size) != len(want) {
			t.Fatalf("step %d: size %d, want %d", step, w.size, len(want))
		}
	}
}

// TestDamaged reads files of random bytes: errors, but no panic and no memory for a length that the file does not have.
func TestDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		m := &folder.Memory{}
		f := must.Get(m.Open("x", folder.How{Write: true, Create: true}))(t)
		b := make([]byte, r.IntN(40))
		for i := range b {
			b[i] = []byte{0, 0, 1, 4, 8, 255, '\n', 'x'}[r.IntN(8)]
		}
		must.Get(f.WriteAt(b, 0))(t)
		c := opened(t, m, Spec{Form: []string{"FORMATTED", "UNFORMATTED"}[r.IntN(2)], Access: []string{"SEQUENTIAL", "STREAM"}[r.IntN(2)]})
		for range 20 {
			switch r.IntN(4) {
			case 0:
				_ = c.Backspace()
			case 1:
				_ = c.Rewind()
			default:
				if c.BeginRead(Transfer{Formatted: c.formatted}) != nil {
					break
				}
				if c.formatted {
					_, _ = c.Record()
				} else {
					_ = c.ReadBytes(make([]byte, r.IntN(20)))
					_ = c.EndBody()
				}
			}
			if w := c.window(); w.pos < 0 || w.pos > w.size+markerSize {
				t.Fatalf("%v: at %d of %d", b, w.pos, w.size)
			}
		}
	}
}

// TestStandard checks the units that are connected when a program begins.
func TestStandard(t *testing.T) {
	var out, errs strings.Builder
	table := New(Options{In: strings.NewReader("a\r\n\nb"), Out: &out, Errors: &errs})
	in := table.Connected(Input)
	for _, want := range []string{"a", "", "b"} {
		must.Do(t, in.BeginRead(text))
		if got, err := in.Record(); got != want || err != nil {
			t.Errorf("read %q, %v", got, err)
		}
	}
	if _, err := in.Record(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	must.Do(t, table.Connected(Output).Text([]byte("ab")))
	table.WriteLine("STOP 4")
	put(t, table.Connected(Errors), "wrong")
	must.Do(t, table.Connected(Output).Text([]byte("end")))
	if err := table.CloseAll(); err != nil || out.String() != "ab\nend\n" || errs.String() != "STOP 4\nwrong\n" {
		t.Errorf("%q, %q, %v", out.String(), errs.String(), err)
	}
	full := New(Options{Out: fails{}})
	put(t, full.Connected(Output), strings.Repeat("x", 1<<16))
	if err := full.CloseAll(); err == nil {
		t.Error("no error of writing")
	}
}

type fails struct{}

func (fails) Write([]byte) (int, error) { return 0, errors.New("full") }

// TestOpen checks wrong specifiers.
func TestOpen(t *testing.T) {
	for _, c := range []struct {
		spec Spec
		code int64
		want string
	}{
		{Spec{Unit: 9, Access: "DIRECT"}, codeNeeded, "ACCESS='DIRECT' without RECL="},
		{Spec{Unit: 9, Recl: -1, HasRecl: true}, CodeOption, "RECL=-1 (expected 1 to 2147483647)"},
		{Spec{Unit: 9, File: "x", Status: "SCRATCH"}, CodeOption, "STATUS='SCRATCH' with FILE="},
		{Spec{Unit: -3}, CodeOption, "unit -3 (expected 0 or more, or a unit of NEWUNIT=)"},
		{Spec{Unit: 9, File: "none", Status: "OLD"}, codeMissing, `cannot open "none": no such file`},
		{Spec{Unit: 9, Form: "UNFORMATTED", Pad: "NO"}, codeConflict, "BLANK=, DELIM= and PAD= are for FORM='FORMATTED'"},
	} {
		if err := New(Options{}).Open(c.spec); code(err) != c.code || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.spec, err, c.want)
		}
	}
	if _, err := Word("STATUS", "odl"); code(err) != CodeOption || err.Error() != `STATUS="ODL" (expected one of OLD NEW SCRATCH REPLACE UNKNOWN; did you mean OLD?)` {
		t.Error(err)
	}
}
