package experiment

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"whorl/tracer"
)

func TestOpenReader(t *testing.T) {
	r := Defaults("fghc/nrev")
	r.Args = []string{"150"} // several blocks of events
	p, err := r.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "nrev.whorl")
	if err := new(Files).WriteTrace(path, func(rec tracer.Recorder) error { _, err := p.Run(t.Context(), rec, nil); return err }); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	var twin bytes.Buffer
	if err := tracer.WriteText(&twin, opened); err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(whole)
	damaged[len(damaged)/2] ^= 1
	for _, c := range []struct {
		name           string
		data           io.Reader
		missing, wrong string // parts of what it says
		all            bool
	}{
		{"whole", bytes.NewReader(whole), "", "", true},
		{"in pieces", iotest.OneByteReader(bytes.NewReader(whole)), "", "", true},
		{"text", bytes.NewReader(twin.Bytes()), "", "", true},
		{"cut", bytes.NewReader(whole[:len(whole)/2]), "not closed", "", false},
		{"damaged", bytes.NewReader(damaged), "checksum", "", false},
		{"empty", strings.NewReader(""), "", "the file is empty", false},
		{"a picture", strings.NewReader("\x89PNG\r\n"), "", "not a trace of a known format", false},
		{"broken", iotest.ErrReader(errors.New("the disk is gone")), "", "the disk is gone", false},
		{"broken later", io.MultiReader(bytes.NewReader(whole[:5000]), iotest.ErrReader(errors.New("the disk is gone"))), "", "the disk is gone", false},
	} {
		got, err := OpenReader(c.name, c.data)
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

// TestOpenPartial: what comes before the damage is there, and no more.
func TestOpenPartial(t *testing.T) {
	p, err := Defaults("fghc/nrev").Resolve()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "nrev.whorl")
	if err := new(Files).WriteTrace(path, func(rec tracer.Recorder) error { _, err := p.Run(t.Context(), rec, nil); return err }); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := int64(-1)
	for _, c := range []struct {
		at      int // of the byte that is damaged
		missing string
		some    bool // not all of its events
	}{{-1, "", false}, {len(whole) / 2, "damaged file: block ", true}, {len(whole) - 30, "damaged file: block ", false}} {
		b := bytes.Clone(whole)
		if c.at >= 0 {
			b[c.at] ^= 1
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		trace, err := OpenPartial(path)
		if err != nil {
			t.Fatal(err)
		}
		n := int64(0)
		for _, count := range trace.Counts() {
			n += count
		}
		if all < 0 {
			all = n
		}
		if !strings.Contains(trace.Missing, c.missing) || (trace.Missing == "") != (c.missing == "") || n == 0 || (n < all) != c.some {
			t.Errorf("damaged at %d: %d events of %d, missing %q", c.at, n, all, trace.Missing)
		}
		var twin bytes.Buffer
		if err := tracer.WriteText(&twin, trace); err != nil {
			t.Errorf("damaged at %d: %v", c.at, err)
		}
		if err := trace.Close(); err != nil {
			t.Error(err)
		}
	}
}
