package open

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/testdata/must"
)

// TestArchive opens an archive by its anchor file and by the folder of that, and refuses the anchor file alone.
func TestArchive(t *testing.T) {
	folder, from := t.TempDir(), "../../testdata/mpi"
	for _, name := range []string{"hybrid.otf2", "hybrid.def"} {
		must.Do(t, os.WriteFile(filepath.Join(folder, name), must.Get(os.ReadFile(filepath.Join(from, name)))(t), 0o644))
	}
	must.Do(t, os.CopyFS(filepath.Join(folder, "hybrid"), os.DirFS(filepath.Join(from, "hybrid"))))
	for _, path := range []string{folder, filepath.Join(folder, "hybrid.otf2")} {
		for _, open := range []func(string) (*Trace, error){File, Partial} {
			tr := must.Get(open(path))(t)
			if m := tr.Meta(); m.Substrate != "otf2" || m.PEs != 4 || tr.Path != filepath.Join(folder, "hybrid.otf2") {
				t.Errorf("%s: %+v of %s", path, m, tr.Path)
			}
			must.Do(t, tr.Close())
		}
	}
	anchor := must.Get(os.ReadFile(filepath.Join(folder, "hybrid.otf2")))(t)
	if _, err := Reader(filepath.Join(folder, "hybrid.otf2"), bytes.NewReader(anchor)); err == nil || !strings.Contains(err.Error(), "an OTF2 archive is a folder") {
		t.Errorf("an anchor file that is sent alone: %v", err)
	}
}

// TestSets opens traces of several files by their folders and by each of their files.
func TestSets(t *testing.T) {
	starpu := t.TempDir()
	for _, name := range []string{"cholesky.paje", "tasks.rec"} {
		b := must.Get(os.ReadFile(filepath.Join("../../testdata/starpu", name)))(t)
		must.Do(t, os.WriteFile(filepath.Join(starpu, strings.Replace(name, "cholesky.paje", "paje.trace", 1)), b, 0o644))
	}
	const charm = "../../testdata/projections"
	for _, c := range []struct {
		path, substrate, opened string
		pes                     int
	}{
		{charm, "projections", charm + "/pingpong.prj.sts", 2},
		{charm + "/pingpong.prj.1.log.gz", "projections", charm + "/pingpong.prj.1.log.gz", 2},
		{starpu, "paje", filepath.Join(starpu, "paje.trace"), 3},
	} {
		for _, open := range []func(string) (*Trace, error){File, Partial} {
			tr := must.Get(open(c.path))(t)
			if m := tr.Meta(); m.Substrate != c.substrate || m.PEs != c.pes || tr.Path != c.opened || m.Missing() != "" {
				t.Errorf("%s: %+v of %s", c.path, m, tr.Path)
			}
			must.Do(t, tr.Close())
		}
		if !IsEvents(c.path) {
			t.Errorf("%s has no events", c.path)
		}
	}
	log := must.Get(os.ReadFile(charm + "/pingpong.prj.0.log.gz"))(t)
	if _, err := Reader("a.0.log.gz", bytes.NewReader(log)); err == nil || !strings.Contains(err.Error(), "give the path of one of them, or that of the folder") {
		t.Errorf("a log that is sent alone: %v", err)
	}
}
