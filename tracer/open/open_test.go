package open_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/internal/files"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/tracer/report"
	"whorl/tracer/testdata/tracertest"
)

// nrev writes the trace of a run with several blocks of events and returns the path of the file and its bytes.
func nrev(t *testing.T) (path string, whole []byte) {
	t.Helper()
	r := experiment.Defaults("fghc/nrev")
	r.Args = []string{"150"}
	path = filepath.Join(t.TempDir(), "nrev.whorl")
	must.Do(t, open.Export(new(files.Writer), experimenttest.Trace(t, r), path, "whorl"))
	whole = must.Get(os.ReadFile(path))(t)
	return path, whole
}

func TestReader(t *testing.T) {
	path, whole := nrev(t)
	opened := must.Get(open.File(path))(t)
	defer opened.Close()
	damaged := bytes.Clone(whole)
	damaged[len(damaged)/2] ^= 1
	for _, c := range []struct {
		name           string
		data           io.Reader
		missing, wrong string // expected parts of Missing and of the error
		all            bool   // all events are read
	}{
		{"whole", bytes.NewReader(whole), "", "", true},
		{"in pieces", iotest.OneByteReader(bytes.NewReader(whole)), "", "", true},
		{"text", strings.NewReader(tracertest.Text(t, opened)), "", "", true},
		{"cut", bytes.NewReader(whole[:len(whole)/2]), "not closed", "", false},
		{"damaged", bytes.NewReader(damaged), "checksum", "", false},
		{"empty", strings.NewReader(""), "", "the file is empty", false},
		{"a picture", strings.NewReader("\x89PNG\r\n"), "", "not a trace of a known format", false},
		{"broken", iotest.ErrReader(errors.New("the disk is gone")), "", "the disk is gone", false},
		{"broken later", io.MultiReader(bytes.NewReader(whole[:5000]), iotest.ErrReader(errors.New("the disk is gone"))), "", "the disk is gone", false},
	} {
		got, err := open.Reader(c.name, c.data)
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) || !strings.HasPrefix(err.Error(), c.name) {
				t.Errorf("%s: %v, want %s", c.name, err, c.wrong)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !strings.Contains(got.Missing, c.missing) || (got.Missing == "") != (c.missing == "") {
			t.Errorf("%s lacks %q, want %q", c.name, got.Missing, c.missing)
		}
		if (got.Counts() == opened.Counts()) != c.all {
			t.Errorf("%s has %v of %v", c.name, got.Counts(), opened.Counts())
		}
	}
}

// TestPartial damages a trace: it opens with the events before the damage and no others.
func TestPartial(t *testing.T) {
	path, whole := nrev(t)
	all := int64(-1)
	for _, c := range []struct {
		damaged int // the offset of the damaged byte, -1 for none
		missing string
		some    bool // not all of its events are read
	}{{-1, "", false}, {len(whole) / 2, "damaged file: block ", true}, {len(whole) - 30, "damaged file: block ", false}} {
		b := bytes.Clone(whole)
		if c.damaged >= 0 {
			b[c.damaged] ^= 1
		}
		must.Do(t, os.WriteFile(path, b, 0o600))
		trace := must.Get(open.Partial(path))(t)
		n := int64(0)
		for _, count := range trace.Counts() {
			n += count
		}
		if all < 0 {
			all = n
		}
		if !strings.Contains(trace.Missing, c.missing) || (trace.Missing == "") != (c.missing == "") || n == 0 || (n < all) != c.some {
			t.Errorf("damaged at %d: %d events of %d, missing %q", c.damaged, n, all, trace.Missing)
		}
		tracertest.Text(t, trace)
		if err := trace.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestFlippedBit flips bits in all parts of the file of a short trace. Each reader of the whole trace notices each of them.
func TestFlippedBit(t *testing.T) {
	r := experiment.Defaults("pascal")
	r.Args = []string{"8"}
	path := filepath.Join(t.TempDir(), "a.whorl")
	must.Do(t, open.Export(new(files.Writer), experimenttest.Trace(t, r), path, "whorl"))
	data := must.Get(os.ReadFile(path))(t)
	readers := []struct {
		name   string
		reader func(*open.Trace) error
	}{
		{"stats", func(trace *open.Trace) error { _, err := report.Summarise(trace); return err }},
		{"dump", func(trace *open.Trace) error { return tracer.WriteText(io.Discard, trace) }},
	}
	read := func() map[string]bool {
		noticed := map[string]bool{}
		must.Do(t, os.WriteFile(path, data, 0o600))
		trace, err := open.File(path)
		for _, c := range readers {
			noticed[c.name] = err != nil || trace.Missing != "" || c.reader(trace) != nil
		}
		part, failed := open.Files([]string{path}, "", open.Options{Salvage: true})
		if noticed["salvage"] = failed != nil || part.Missing != ""; failed == nil {
			must.Do(t, part.Close())
		}
		if err == nil {
			trace.Close()
		}
		return noticed
	}
	for i := 0; i < len(data); i += 1 + len(data)/300 {
		data[i] ^= 1 << (i % 8)
		for name, noticed := range read() {
			if !noticed {
				t.Errorf("bit %d of byte %d flipped: %s does not notice", i%8, i, name)
			}
		}
		data[i] ^= 1 << (i % 8)
	}
	for name, noticed := range read() {
		if noticed {
			t.Errorf("%s notices damage in an undamaged file", name)
		}
	}
}

// TestExport writes a trace to a file and reads it back, in each format that keeps all of it.
func TestExport(t *testing.T) {
	r := experiment.Defaults("qsort")
	r.Network = "torus2d"
	trace := experimenttest.Trace(t, r)
	folder := t.TempDir()
	for _, name := range []string{"a.whorl", "a.txt"} {
		path := filepath.Join(folder, name)
		format := must.Get(open.TargetFormat(path, ""))(t)
		must.Do(t, open.Export(new(files.Writer), trace, path, format))
		back := must.Get(open.File(path))(t)
		if back.Missing != "" {
			t.Errorf("%s: %s", name, back.Missing)
		}
		if d := cmp.Diff(tracertest.Text(t, trace), tracertest.Text(t, back)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if err := back.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestTruncated cuts a trace file: it opens with the events before the cut and reports what is missing.
func TestTruncated(t *testing.T) {
	path, whole := nrev(t)
	for _, n := range []int{len(whole) - 1, len(whole) / 2, 40} {
		must.Do(t, os.WriteFile(path, whole[:n], 0o644))
		cut, err := open.File(path)
		if err != nil {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
			continue
		}
		if cut.Missing == "" {
			t.Errorf("%d of %d bytes: nothing is missing", n, len(whole))
		}
		if _, err := report.Summarise(cut); err != nil {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
		cut.Close()
	}
}

// TestFolders: a folder stands for the trace in it, not for one of several.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	text := must.Get(os.ReadFile("../../testdata/simgrid/stencil.paje"))(t)
	must.Do(t, os.WriteFile(filepath.Join(dir, "a.paje"), text, 0o600))
	must.Get(open.File(dir))(t).Close()
	must.Do(t, os.WriteFile(filepath.Join(dir, "b.paje"), text, 0o600))
	want := dir + ": a folder with 2 traces: open one of them, such as " + filepath.Join(dir, "a.paje")
	for _, opened := range []func(string) (*open.Trace, error){open.File, open.Partial} {
		if _, err := opened(dir); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestNoTrace: the error for a folder without a trace says what it may hold, and names a trace near it.
func TestNoTrace(t *testing.T) {
	dir := t.TempDir()
	in := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	for name, text := range map[string]string{"empty/notes.txt": "Notes.\n", "one/b.txt": "whorl 1\n", "one/notes.txt": "Notes.\n", "above/two/a.paje": "", "ring/1.evt": "", "ring.otf2": ""} {
		must.Do(t, os.MkdirAll(filepath.Dir(in(name)), 0o700))
		if from := map[string]string{"ring.otf2": "mpi/ring.otf2", "above/two/a.paje": "simgrid/stencil.paje"}[name]; from != "" {
			text = string(must.Get(os.ReadFile("../../testdata/" + from))(t))
		}
		must.Do(t, os.WriteFile(in(name), []byte(text), 0o600))
	}
	for folder, near := range map[string]string{"empty": "", "one": in("one", "b.txt"), "above": in("above", "two", "a.paje"), "ring": in("ring.otf2")} {
		want := in(folder) + ": a folder without a trace: expected *.dtslog, *.ninja_log, *.otf2, *.paje, paje.trace, *.sts, profiles, or table.csv and runs.jsonl of a sweep"
		if near != "" {
			want += "; did you mean " + near + "?"
		}
		for _, opened := range []func(string) (*open.Trace, error){open.File, open.Partial} {
			if _, err := opened(in(folder)); err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
}
