package world

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"whorl/testdata/must"
)

// Close returns the error of a file that cannot be written and that the program has left open.
func TestCloseFailing(t *testing.T) {
	w := &World{Files: true}
	f := must.Get(w.OpenAs(filepath.Join(t.TempDir(), "file"), "w"))(t)
	w.Register(f)
	f.Out.Put([]byte("text"))
	must.Do(t, f.file.Close())
	if err := w.Close(); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}
