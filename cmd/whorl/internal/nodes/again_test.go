package nodes

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"whorl/testdata/must"
)

// Attempts print some of the output, in pieces. It appears once, and a difference is an error.
func TestTranscript(t *testing.T) {
	for _, c := range []struct {
		name     string
		attempts [][]string
		want     string
		wrong    bool
	}{
		{"one", [][]string{{"ab", "c"}}, "abc", false},
		{"again", [][]string{{"ab"}, {"abc"}}, "abc", false},
		{"in other pieces", [][]string{{"ab", "cd"}, {"a", "b"}, {"abc", "de"}}, "abcde", false},
		{"nothing first", [][]string{{}, {"abc"}}, "abc", false},
		{"others", [][]string{{"ab"}, {"a", "x", "c"}}, "ab", true},
		{"less", [][]string{{"ab"}, {"a"}}, "ab", true},
		{"others in the third", [][]string{{"ab"}, {"abc"}, {"abd"}}, "abc", true},
	} {
		var out bytes.Buffer
		s := newTranscript(&out)
		for i, pieces := range c.attempts {
			if i > 0 {
				s.restart()
			}
			for _, p := range pieces {
				if n, err := s.Write([]byte(p)); err == nil && n != len(p) {
					t.Errorf("%s: %d bytes of %q", c.name, n, p)
				}
			}
		}
		if err := s.check(); out.String() != c.want || (err != nil) != c.wrong {
			t.Errorf("%s: %q, %v", c.name, &out, err)
		}
	}
}

// Each attempt reads the input from its beginning: a file from where it stood, a pipe from the tape.
func TestInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "input")
	must.Do(t, os.WriteFile(path, []byte("before\n1\n2\n"), 0o600))
	file := must.Get(os.Open(path))(t)
	defer file.Close()
	must.Get(file.Seek(7, io.SeekStart))(t)
	for _, in := range []io.Reader{file, strings.NewReader("1\n2\n"), io.MultiReader(strings.NewReader("1\n"), strings.NewReader("2\n"))} {
		i := newInput(in)
		for _, most := range []int{1, 100, 100} { // the first attempt reads a part
			r, end, err := i.open()
			if err != nil {
				t.Fatal(err)
			}
			got := make([]byte, most)
			n, err := io.ReadFull(r, got)
			if want := "1\n2\n"[:min(most, 4)]; string(got[:n]) != want || most > 4 && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%T: %q, %v", in, got[:n], err)
			}
			end()
		}
		if !i.again() {
			t.Errorf("%T is not read again", in)
		}
	}
	null := must.Get(os.Open(os.DevNull))(t)
	defer null.Close()
	if i := newInput(null); i.file != null || i.offset >= 0 || !i.again() {
		t.Errorf("%+v", i)
	}
	long := newInput(io.LimitReader(zeros{}, mostInput+1))
	r, end, err := long.open()
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, r); n != mostInput+1 || err != nil || long.again() {
		t.Errorf("%d bytes, %v; read again: %v", n, err, long.again())
	}
	end()
}

// The first attempt is killed while it waits for input. The second reads the same input again, and then the rest.
func TestInputWaits(t *testing.T) {
	in := lines{make(chan struct{}, 10), make(chan string, 1)}
	i := newInput(in)
	expect := func(r io.Reader, want string) {
		t.Helper()
		got := make([]byte, len(want))
		if _, err := io.ReadFull(r, got); string(got) != want || err != nil {
			t.Fatalf("%q, %v; want %q", got, err, want)
		}
	}
	in.text <- "1\n"
	first, end, err := i.open()
	must.Do(t, err)
	expect(first, "1\n")
	for range 2 {
		<-in.reads
	}
	end()
	if !i.again() {
		t.Fatal("it is not read again")
	}
	second, end, err := i.open()
	must.Do(t, err)
	defer end()
	expect(second, "1\n")
	in.text <- "2\n"
	expect(second, "2\n")
}

// lines is an input that counts its reads.
type lines struct {
	reads chan struct{}
	text  chan string
}

func (l lines) Read(b []byte) (int, error) {
	l.reads <- struct{}{}
	return copy(b, <-l.text), nil
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// A process is killed by a signal. One that ends by itself, or does not start, is not.
func TestKilled(t *testing.T) {
	sleep := exec.Command("sleep", "1000")
	if sleep.Start() != nil {
		t.Skip("no sleep command")
	}
	must.Do(t, sleep.Process.Kill())
	if err := sleep.Wait(); !killed(err) {
		t.Error(err)
	}
	for _, name := range []string{"false", "true", "/none"} {
		if err := exec.Command(name).Run(); killed(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
