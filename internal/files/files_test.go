package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/testdata/must"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// contents returns the text of a file, and the number of files in its folder.
func contents(t *testing.T, path string) (string, int) {
	t.Helper()
	b := must.Get(os.ReadFile(path))(t)
	all := must.Get(os.ReadDir(filepath.Dir(path)))(t)
	return string(b), len(all)
}

// TestWrite writes a file, replaces it, and fails to replace it: the old file stays, and no temporary file remains.
func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	var w Writer
	failed := errors.New("failed")
	for _, c := range []struct {
		fill func(io.Writer) error
		err  error
		want string
	}{
		{text("one"), nil, "one"},
		{text("two"), nil, "two"},
		{func(w io.Writer) error { return errors.Join(text("three")(w), failed) }, failed, "two"},
	} {
		if err := w.Write(path, c.fill); !errors.Is(err, c.err) {
			t.Errorf("%v, want %v", err, c.err)
		}
		if got, n := contents(t, path); got != c.want || n != 1 {
			t.Errorf("the file has %q, want %q; %d files in the folder", got, c.want, n)
		}
	}
	err := w.Write(path, func(out io.Writer) error { w.Abandon(); return text("four")(out) })
	if output := (*OutputError)(nil); !errors.As(err, &output) {
		t.Errorf("abandoned during a write: %v", err)
	}
	if got, n := contents(t, path); got != "two" || n != 1 {
		t.Errorf("abandoned, the file has %q; %d files in the folder", got, n)
	}
	if err := w.Write(path, text("five")); err == nil {
		t.Error("a file was written after Abandon")
	}
}

// TestCheckFolder: a file in a folder that does not exist, or below a file, cannot be created.
func TestCheckFolder(t *testing.T) {
	folder := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(folder, "a"), nil, 0o600))
	for _, c := range []struct{ path, want string }{
		{filepath.Join(folder, "new.svg"), ""},
		{filepath.Join(folder, "none", "new.svg"), "no such file or directory"},
		{filepath.Join(folder, "a", "new.svg"), "not a directory"},
	} {
		err := CheckFolder(c.path)
		if output := (*OutputError)(nil); (err == nil) != (c.want == "") || err != nil && (!errors.As(err, &output) || !strings.HasSuffix(err.Error(), c.path+": "+c.want)) {
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "pascal.whorl")
	must.Do(t, os.WriteFile(path, []byte("12345"), 0o600))
	if got, err := ReadText(path, 5); got != "12345" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, c := range []struct {
		path string
		want string
	}{
		{path, "longer than 4 bytes"},
		{filepath.Join(folder, "pasca.whorl"), "no such file; did you mean " + path + "?"},
		{filepath.Join(folder, "zzzzzz"), "zzzzzz: no such file"},
		{filepath.Join(folder, "pascal"), "no such file; did you mean " + path + "?"},
		{filepath.Join(folder, "pasca.whrol"), "no such file; did you mean " + path + "?"},
	} {
		if _, err := ReadText(c.path, 4); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	for _, name := range []string{"paxyz.whorl", "pascal.svg"} { // only the extension is near, or only the rest
		if _, err := ReadText(filepath.Join(folder, name), 4); err == nil || !strings.HasSuffix(err.Error(), "no such file") {
			t.Error(err)
		}
	}
	if _, err := ReadText(filepath.Join(folder, "zzzzzz"), 4); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v is not os.ErrNotExist", err)
	}
	if err := CheckRegular(folder); err == nil || err.Error() != folder+": a folder, not a file" {
		t.Error(err)
	}
}
