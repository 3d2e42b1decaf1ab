// Package profiletest reads texts as profiles, for tests of profile formats.
package profiletest

import (
	"fmt"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Read reads texts with the Read function of a format. The files are named by a pattern with the number of the file,
// such as rank%d.json. The name without its extension is the process.
func Read(read func([]profile.File, tracer.Recorder, profile.Options) error, pattern string, o profile.Options, texts ...string) (*tracer.Memory, error) {
	m := tracer.NewMemory()
	var files []profile.File
	for i, s := range texts {
		name := fmt.Sprintf(pattern, i)
		files = append(files, profile.File{Name: name, Process: strings.TrimSuffix(name, path.Ext(name)), R: strings.NewReader(s)})
	}
	err := read(files, m, o)
	_ = m.Close()
	return m, err
}

// Text returns the text form of a trace.
func Text(t testing.TB, m *tracer.Memory) string {
	t.Helper()
	var b strings.Builder
	if err := tracer.WriteText(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Linear reads an input of a length, such as the number of its records. Under WHORL_SOAK it also checks that the time of read grows in proportion to the
// length: it compares with 16 times the length, for which a quadratic reader takes 256 times as long. One of several comparisons has to succeed, because
// other programs may slow each of them. Less than 10 ms counts as 10 ms.
func Linear(t testing.TB, length int, read func(length int)) {
	t.Helper()
	if os.Getenv("WHORL_SOAK") == "" {
		read(length)
		return
	}
	timed := func(length int) time.Duration {
		begun := time.Now()
		read(length)
		return max(time.Since(begun), 10*time.Millisecond)
	}
	var short, long time.Duration
	for range 8 {
		if short, long = timed(length), timed(16*length); long <= 64*short {
			return
		}
	}
	t.Errorf("length %d takes %v, length %d takes %v", length, short, 16*length, long)
}
