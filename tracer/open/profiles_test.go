package open_test

import (
	"os"
	"path/filepath"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer/open"
)

// TestDatabase opens a database of HPCToolkit, which is a folder, and a folder with a database for each host, which is one trace.
func TestDatabase(t *testing.T) {
	const foo = "../../testdata/profiles/foo.d"
	dir := t.TempDir()
	for _, host := range []string{"node2", "node10"} {
		must.Do(t, os.CopyFS(filepath.Join(dir, host), os.DirFS(foo)))
	}
	for _, c := range []struct {
		path  string
		merge string
		hosts []string
	}{
		{foo, "", []string{"node 7f0101", "node 7f0101", "node 7f0101"}},
		{foo, "process", []string{"node 7f0101", "node 7f0101"}},
		{dir, "host", []string{"node2 node 7f0101", "node10 node 7f0101"}},
	} {
		trace := must.Get(open.Files([]string{c.path}, "", open.Options{Merge: c.merge}))(t)
		meta := trace.Meta()
		if meta.PEs != len(c.hosts) || meta.Program != "foo" {
			t.Errorf("%s merged to %q: %d processors of %q", c.path, c.merge, meta.PEs, meta.Program)
		}
		for i, p := range meta.PEInfo {
			if i < len(c.hosts) && p.Host != c.hosts[i] {
				t.Errorf("%s merged to %q: processor %d is on %q, want %q", c.path, c.merge, i, p.Host, c.hosts[i])
			}
		}
		must.Do(t, trace.Close())
	}
}

// TestMissingInFiles opens several profiles: Missing names the damaged file, not the first one.
func TestMissingInFiles(t *testing.T) {
	dir := t.TempDir()
	whole, damaged := filepath.Join(dir, "rank2.txt"), filepath.Join(dir, "rank10.txt")
	for _, c := range []struct{ path, text string }{{whole, "a;b;c 4\na;b 2\n"}, {damaged, "a;b;c 3\nx;"}} {
		must.Do(t, os.WriteFile(c.path, []byte(c.text), 0o666))
	}
	for _, c := range []struct {
		paths         []string
		name, missing string
	}{
		{[]string{dir}, dir, "1 line without a count in " + damaged},
		{[]string{damaged, whole}, whole + " and 1 more", "1 line without a count in " + damaged},
		{[]string{damaged}, damaged, "1 line without a count"},
		{[]string{whole}, whole, ""},
	} {
		trace := must.Get(open.Files(c.paths, "", open.Options{}))(t)
		if trace.Path != c.name || trace.Missing != c.missing {
			t.Errorf("%s: %q lacks %q, want %q and %q", c.paths, trace.Path, trace.Missing, c.name, c.missing)
		}
		must.Do(t, trace.Close())
	}
}
