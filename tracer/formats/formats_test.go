package formats

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// TestSamples checks that each format, and no other, detects its sample files, and that writing, reading and writing again gives the same file.
func TestSamples(t *testing.T) {
	for _, f := range All {
		samples, err := filepath.Glob("../../testdata/*/*" + f.Ext)
		if err != nil || len(samples) == 0 {
			t.Errorf("%s: every format needs a sample file: add testdata/traces/NAME%s or testdata/profiles/NAME%s", f.Name, f.Ext, f.Ext)
		}
		for _, path := range samples {
			text := must.Get(os.ReadFile(path))(t)
			for _, g := range All {
				if got := g.Detect(text[:min(len(text), 4096)]); got != (g.Name == f.Name) {
					t.Errorf("%s: Detect of %s reports %v", path, g.Name, got)
				}
			}
			m := tracer.NewMemory()
			read := func() error { return f.Read(bytes.NewReader(text), m, Options{}) }
			if f.ReadIn != nil {
				read = func() error { return f.ReadIn(os.DirFS(filepath.Dir(path)), filepath.Base(path), m, Options{}) }
			}
			if err := read(); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			must.Do(t, m.Close())
			if f.Write == nil {
				continue
			}
			var first, second bytes.Buffer
			if err := f.Write(&first, m); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			again := tracer.NewMemory()
			if err := f.Read(bytes.NewReader(first.Bytes()), again, Options{Clauses: m.Dict()}); err != nil {
				t.Errorf("%s, written: %v", path, err)
			}
			_ = again.Close()
			if err := f.Write(&second, again); err != nil || first.String() != second.String() || first.Len() == 0 {
				t.Errorf("%s: written again, %v:\n%s", path, err, second.String())
			}
		}
	}
}

func TestDetectNothing(t *testing.T) {
	for _, f := range All {
		for _, head := range []string{"", "whorl 1\n", "\x7fELF\x02\x01\n", "{\"nodes\": [\n"} {
			if f.Detect([]byte(head)) {
				t.Errorf("%s claims %q", f.Name, head)
			}
		}
	}
}
