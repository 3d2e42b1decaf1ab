package exec

import (
	"io"
	"strings"
	"testing"
)

// TestWaits checks that a run pauses while it waits for input, or for the reader of its output.
func TestWaits(t *testing.T) {
	const source = "read *, k\nprint '(a)', repeat('x', 100000)\nprint *, k\nend\n"
	in, typed := io.Pipe()
	shown, out := io.Pipe()
	m := machine(t, prepared(t, "w.f90", source, 1), Options{Input: in, Output: out})
	advance := func() bool {
		t.Helper()
		more, err := m.Advance(1000)
		if err != nil {
			t.Fatal(err)
		}
		m.Flush()
		return more
	}
	for range 2 {
		if !advance() {
			t.Fatal("the run has ended without input")
		}
	}
	go func() { _, _ = io.WriteString(typed, "7\n") }()
	for range 3 {
		if !advance() {
			t.Fatal("the run has ended without a reader of its output")
		}
	}
	read := make(chan string)
	go func() {
		b, _ := io.ReadAll(shown)
		read <- string(b)
	}()
	for advance() {
	}
	out.Close()
	if want := strings.Repeat("x", 100000) + "\n           7\n"; <-read != want {
		t.Error("wrong output")
	}
}

// TestWaitsNoMore checks that a run that is closed while it waits ends.
func TestWaitsNoMore(t *testing.T) {
	for _, source := range []string{"read *, k\nprint *, k\nend\n", "do\nprint '(a)', repeat('x', 100000)\nend do\nend\n", "print *, 'x'\nend\n"} {
		in, _ := io.Pipe()
		_, out := io.Pipe()
		m := machine(t, prepared(t, "w.f90", source, 1), Options{Input: in, Output: out})
		for range 3 {
			if more, err := m.Advance(1000); !more || err != nil {
				t.Fatalf("%s: %v, %v", source, more, err)
			}
			m.Flush()
		}
		m.Close(2)
		if more, err := m.Advance(1); more || err != nil {
			t.Errorf("%s: %v, %v after its end", source, more, err)
		}
	}
}
