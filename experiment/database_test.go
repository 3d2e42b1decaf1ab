package experiment

import (
	"os"
	"path/filepath"
	"testing"
)

// A database of HPCToolkit is a folder of files that are different things, and a folder of databases is one trace, of a host each.
func TestDatabase(t *testing.T) {
	const foo = "../tracer/formats/hpctoolkit/testdata/foo.d"
	dir := t.TempDir()
	for _, host := range []string{"node2", "node10"} {
		if err := os.CopyFS(filepath.Join(dir, host), os.DirFS(foo)); err != nil {
			t.Fatal(err)
		}
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
		trace, err := OpenFiles([]string{c.path}, "", Reading{Merge: c.merge})
		if err != nil {
			t.Fatal(err)
		}
		meta := trace.Meta()
		if meta.PEs != len(c.hosts) || meta.Program != "foo" {
			t.Errorf("%s merged to %q: %d processors of %q", c.path, c.merge, meta.PEs, meta.Program)
		}
		for i, p := range meta.PEInfo {
			if i < len(c.hosts) && p.Host != c.hosts[i] {
				t.Errorf("%s merged to %q: processor %d is on %q, want %q", c.path, c.merge, i, p.Host, c.hosts[i])
			}
		}
		if err := trace.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
