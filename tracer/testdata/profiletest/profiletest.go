// Package profiletest reads texts as profiles, for tests of profile formats.
package profiletest

import (
	"fmt"
	"path"
	"strings"
	"testing"

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
