package open

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/testdata/must"
)

// archives returns a zip and a compressed tar archive of files, given as names and contents in turn.
func archives(t *testing.T, files ...string) map[string][]byte {
	var z, b bytes.Buffer
	zw, tw := zip.NewWriter(&z), tar.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		must.Get(must.Get(zw.Create(files[i]))(t).Write([]byte(files[i+1])))(t)
		must.Do(t, tw.WriteHeader(&tar.Header{Name: files[i], Mode: 0o644, Size: int64(len(files[i+1]))}))
		must.Get(tw.Write([]byte(files[i+1])))(t)
	}
	must.Do(t, zw.Close())
	must.Do(t, tw.Close())
	return map[string][]byte{"a.zip": z.Bytes(), "a.tar": b.Bytes(), "a.tgz": zipped(t, b.Bytes())}
}

// TestArchives opens archives of two profiles, and of one trace beside other files, by their paths and from a stream.
func TestArchives(t *testing.T) {
	dir := t.TempDir()
	trace := string(must.Get(os.ReadFile("testdata/stacks.whorl"))(t))
	for name, b := range archives(t, "n1/rank0.folded", stacksText, "n2/rank0.folded", stacksText, "__MACOSX/n1/._rank0.folded", "x", "notes.md", "Notes.") {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, b, 0o644))
		tr := must.Get(Files([]string{path}, "", Options{}))(t)
		m := tr.Meta()
		if samples(t, tr) != 14 || len(m.PEInfo) != 2 || m.PEInfo[0].Host != "n1" || m.PEInfo[1].Process != "rank0" {
			t.Errorf("%s: %+v", name, m)
		}
		tr = must.Get(Files([]string{filepath.Join(path, "n2", "rank0.folded")}, "", Options{}))(t)
		if samples(t, tr) != 7 {
			t.Errorf("%s: a member has %d samples", name, samples(t, tr))
		}
		if _, err := Files([]string{filepath.Join(path, "n3")}, "", Options{}); err == nil {
			t.Errorf("%s: a member that is not there opens", name)
		}
		if _, err := Reader(name, bytes.NewReader(b)); err == nil || !strings.Contains(err.Error(), "an archive with 2 traces (n1/rank0.folded, n2/rank0.folded)") {
			t.Errorf("%s from a stream: %v", name, err)
		}
	}
	for name, b := range archives(t, "run/t.whorl", trace, "run/notes.md", "Notes.") {
		path := filepath.Join(dir, "one-"+name)
		must.Do(t, os.WriteFile(path, b, 0o644))
		for k, open := range []func() (*Trace, error){
			func() (*Trace, error) { return File(path) },
			func() (*Trace, error) { return File(filepath.Join(path, "run", "t.whorl")) },
			func() (*Trace, error) { return Files([]string{path}, "", Options{}) },
			func() (*Trace, error) { return Reader(name, bytes.NewReader(b)) },
		} {
			if tr := must.Get(open())(t); samples(t, tr) != 7 {
				t.Errorf("%s, way %d: %d samples", name, k, samples(t, tr))
			}
		}
	}
}

// TestDamagedArchives checks the errors of archives without a trace and of damaged ones.
func TestDamagedArchives(t *testing.T) {
	for name, b := range archives(t, "a.md", "Notes.", "b.md", "More.") {
		_, err := Reader(name, bytes.NewReader(b))
		if err == nil || err.Error() != name+": an archive of 2 files, of which none is a trace of a known format: a.md, b.md" {
			t.Errorf("%s: %v", name, err)
		}
		if _, err = Reader(name, bytes.NewReader(b[:min(len(b)-8, 515)])); err == nil || !strings.Contains(err.Error(), "cut") {
			t.Errorf("%s, cut: %v", name, err)
		}
	}
	for name, b := range archives(t) {
		if name != "a.tar" { // it has no beginning either
			if _, err := Reader(name, bytes.NewReader(b)); err == nil {
				t.Errorf("%s: an empty archive opens", name)
			}
		}
	}
}
