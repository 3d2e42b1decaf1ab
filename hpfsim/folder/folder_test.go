package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/testdata/must"
)

// both calls f with a folder of this computer and with one in memory.
func both(t *testing.T, f func(t *testing.T, d Folder)) {
	t.Run("dir", func(t *testing.T) {
		d := must.Get(OpenDir(t.TempDir()))(t)
		defer d.Close()
		f(t, d)
	})
	t.Run("memory", func(t *testing.T) { f(t, &Memory{}) })
}

func TestFiles(t *testing.T) {
	both(t, func(t *testing.T, d Folder) {
		if _, err := d.Open("x", How{Read: true}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a missing file: %v", err)
		}
		f := must.Get(d.Open("x", How{Read: true, Write: true, Create: true}))(t)
		must.Get(f.WriteAt([]byte("abc"), 2))(t)
		must.Do(t, f.Truncate(4))
		must.Do(t, f.Truncate(6))
		b := make([]byte, 10)
		if n, err := f.ReadAt(b, 0); n != 6 || err == nil || string(b[:n]) != "\x00\x00ab\x00\x00" {
			t.Errorf("%q, %v", b[:n], err)
		}
		if n, err := f.ReadAt(b, 7); n != 0 || err == nil {
			t.Errorf("%d bytes behind the end, %v", n, err)
		}
		if n := must.Get(f.Size())(t); n != 6 {
			t.Errorf("size %d", n)
		}
		must.Do(t, f.Close())
		if _, err := d.Open("x", How{Read: true, Write: true, Create: true, New: true}); !errors.Is(err, fs.ErrExist) {
			t.Errorf("a new file that exists: %v", err)
		}
		f = must.Get(d.Open("x", How{Read: true, Write: true, Truncate: true}))(t)
		if n := must.Get(f.Size())(t); n != 0 || !d.Exists("x") {
			t.Errorf("size %d", n)
		}
		must.Do(t, f.Close())
		must.Do(t, d.Remove("x"))
		if err := d.Remove("x"); d.Exists("x") || !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	})
}

// TestScratch checks that scratch files are apart from each other and from named ones, and leave nothing.
func TestScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	both(t, func(t *testing.T, d Folder) {
		a, b := must.Get(d.Scratch())(t), must.Get(d.Scratch())(t)
		must.Get(a.WriteAt([]byte("abc"), 0))(t)
		if n := must.Get(b.Size())(t); n != 0 {
			t.Errorf("size %d", n)
		}
		must.Do(t, a.Close())
		must.Do(t, b.Close())
		if left := must.Get(filepath.Glob(filepath.Join(os.TempDir(), "whorl-scratch-*")))(t); len(left) > 0 {
			t.Errorf("%v is left", left)
		}
	})
}

// TestOutside checks that no name leads out of the folder.
func TestOutside(t *testing.T) {
	top := t.TempDir()
	inside := filepath.Join(top, "in")
	must.Do(t, os.Mkdir(inside, 0o777))
	must.Do(t, os.WriteFile(filepath.Join(top, "secret"), []byte("s"), 0o666))
	must.Do(t, os.WriteFile(filepath.Join(inside, "own"), []byte("o"), 0o666))
	must.Do(t, os.Symlink("../secret", filepath.Join(inside, "link")))
	must.Do(t, os.Symlink("..", filepath.Join(inside, "up")))
	must.Do(t, os.Symlink("own", filepath.Join(inside, "good")))
	d := must.Get(OpenDir(inside))(t)
	defer d.Close()
	how := How{Read: true, Write: true, Create: true}
	for _, name := range []string{"../secret", filepath.Join(top, "secret"), "link", "up/secret", "up/new", "a/../../secret", "/etc/passwd"} {
		if _, err := d.Open(name, how); err == nil || !strings.Contains(err.Error(), " is outside of "+inside) {
			t.Errorf("%s: %v", name, err)
		}
		if d.Exists(name) {
			t.Errorf("%s exists", name)
		}
		if err := d.Remove(name); err == nil && name != "link" { // the link itself is inside
			t.Errorf("%s is removed", name)
		}
	}
	for _, name := range []string{"own", "good", filepath.Join(inside, "own"), "./own"} {
		f, err := d.Open(name, how)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		must.Do(t, f.Close())
	}
	if _, err := d.Open(".", How{Read: true}); err == nil {
		t.Error("a folder is opened as a file")
	}
	if text := must.Get(os.ReadFile(filepath.Join(top, "secret")))(t); string(text) != "s" {
		t.Errorf("the file outside has changed to %q", text)
	}
}

// TestMemoryCounts checks that the bytes of files in memory are counted, and end with them.
func TestMemoryCounts(t *testing.T) {
	var used int64
	m := &Memory{Grow: func(n int64) { used += n }}
	f := must.Get(m.Open("x", How{Write: true, Create: true}))(t)
	must.Get(f.WriteAt(make([]byte, 1000), 500))(t)
	if used != 1500+entryBytes {
		t.Errorf("%d bytes", used)
	}
	s := must.Get(m.Scratch())(t)
	must.Do(t, s.Truncate(100))
	must.Do(t, s.Close())
	must.Do(t, m.Remove("x"))
	if used != 0 {
		t.Errorf("%d bytes are left", used)
	}
	if _, err := f.WriteAt([]byte{1}, mostBytes); err == nil {
		t.Error("a file in memory has no bound")
	}
	if _, err := f.WriteAt([]byte{1}, 1<<63-1); err == nil {
		t.Error("a place beyond all files")
	}
}
