//go:build !js

package screen

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/visual/app/chooser"
)

// TestDisk lists a folder with a file of each kind.
func TestDisk(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	dir := filepath.Dir(experimenttest.File(t, "a", "fghc/nrev", 2))
	write := func(name, text string) { must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)) }
	write("b.folded", "main;solve 12\n")
	write("c.FGHC", "a.\n")
	write("d.toml", "version = 1\n")
	write("e.md", "# Title\n")
	must.Do(t, os.Mkdir(filepath.Join(dir, "f"), 0o700))
	must.Do(t, os.Symlink(filepath.Join(dir, "gone"), filepath.Join(dir, "g"))) // is left out
	d := NewDisk()
	for _, path := range []string{dir, filepath.Join(dir, "e.md")} {
		folder := must.Get(d.List(path))(t)
		var got []string
		for _, e := range folder.Entries {
			got = append(got, fmt.Sprint(e.Name, " ", e.Kind, " ", e.Format))
		}
		want := fmt.Sprint("a.whorl ", chooser.Trace, " whorl,b.folded ", chooser.Trace, " collapsed,c.FGHC ", chooser.Program, " ,d.toml ", chooser.Workspace, " ,e.md ", chooser.Other, " ,f ", chooser.Dir, " ")
		if strings.Join(got, ",") != want || folder.Path != dir || folder.Found != strings.TrimPrefix(path[len(dir):], "/") {
			t.Errorf("%s: the folder is %s with %q, found %q; want %s", path, folder.Path, got, folder.Found, want)
		}
	}
	if _, err := d.List(filepath.Join(dir, "nothing")); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("a path that does not exist gives %v", err)
	}
	if here := must.Get(d.List(""))(t); d.Places()[0].Path != here.Path {
		t.Errorf("the first place is %+v, the viewer was started in %s", d.Places()[0], here.Path)
	}
	if f := d.File(filepath.Join(dir, "e.md")); f.Name != "e.md" || f.Size != 8 {
		t.Errorf("the file is %+v", f)
	}
}

// TestRecent: the files opened last come first, each once, without those that have gone, also in the next process.
func TestRecent(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	dir := t.TempDir()
	names := func() string {
		var all []string
		for _, e := range NewDisk().Recent() {
			all = append(all, strings.TrimPrefix(e.Name, dir+"/"))
		}
		return strings.Join(all, " ")
	}
	if names() != "" {
		t.Errorf("before any file the recent ones are %s", names())
	}
	d := NewDisk()
	for i := range maxRecent + 5 {
		path := filepath.Join(dir, fmt.Sprintf("%c.fghc", 'a'+i))
		must.Do(t, os.WriteFile(path, []byte("a.\n"), 0o600))
		d.Remember(path)
	}
	d.Remember(filepath.Join(dir, "x.fghc"))
	must.Do(t, os.Remove(filepath.Join(dir, "w.fghc")))
	if got := names(); !strings.HasPrefix(got, "x.fghc y.fghc v.fghc") || strings.Count(got, " ") != maxRecent-2 {
		t.Errorf("the recent files are %s", got)
	}
}

// TestHome: ~ is the home folder, also where the viewer is started there, and a part of other names.
func TestHome(t *testing.T) {
	home := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	t.Setenv("HOME", home)
	t.Chdir(home)
	must.Do(t, os.Mkdir(filepath.Join(home, "sub"), 0o700))
	must.Do(t, os.Mkdir(filepath.Join(home, "~sub"), 0o700))
	for _, c := range [][2]string{{"~", home}, {"~/sub", filepath.Join(home, "sub")}, {"~sub", filepath.Join(home, "~sub")}} {
		if f := must.Get(NewDisk().List(c[0]))(t); f.Path != c[1] {
			t.Errorf("%s is %s, want %s", c[0], f.Path, c[1])
		}
	}
}
