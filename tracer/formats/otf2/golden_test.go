package otf2

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

var update = flag.Bool("update", false, "write the golden files")

// text returns the text form of the trace of an archive.
func text(t testing.TB, folder fs.FS, name string) string {
	m := tracer.NewMemory()
	must.Do(t, Read(folder, name, m, profile.Options{}))
	must.Do(t, m.Close())
	return textOf(t, m)
}

// TestGolden compares the trace of an archive with MPI and OpenMP, which has all that becomes an event, with its text.
func TestGolden(t *testing.T) {
	got, path := text(t, os.DirFS(archives), "hybrid.otf2"), filepath.Join("testdata", "hybrid.trace.txt")
	if *update {
		must.Do(t, os.WriteFile(path, []byte(got), 0o644))
	}
	if want := string(must.Get(os.ReadFile(path))(t)); got != want {
		t.Errorf("the trace differs from %s: look at both, and run the test with -update if it is right", path)
	}
}

// textOf returns the text form of a trace.
func textOf(t testing.TB, m *tracer.Memory) string {
	var b bytes.Buffer
	must.Do(t, tracer.WriteText(&b, m))
	return b.String()
}
