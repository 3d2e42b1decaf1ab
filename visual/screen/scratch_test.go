//go:build !js

package screen

import (
	"os"
	"path/filepath"
	"testing"

	"whorl/testdata/must"
)

// TestScratch checks that a temporary file holds what was written, and that its name is gone where the system allows that.
func TestScratch(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	f := must.Get(NewScratch()())(t)
	t.Cleanup(func() { _ = f.(*os.File).Close() })
	must.Get(f.WriteAt([]byte("whorl"), 100))(t)
	got := make([]byte, 5)
	must.Get(f.ReadAt(got, 100))(t)
	if string(got) != "whorl" {
		t.Errorf("read %q", got)
	}
	if left := must.Get(filepath.Glob(filepath.Join(dir, "*")))(t); len(left) > 0 && os.PathSeparator == '/' {
		t.Errorf("the folder of temporary files has %q", left)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "none"))
	t.Setenv("TMP", filepath.Join(dir, "none"))
	if _, err := NewScratch()(); err == nil {
		t.Error("a temporary file in a folder that does not exist")
	}
}
