package open

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
)

const stacksText = "main;solve 5\nmain;print 2\n"

func zipped(t *testing.T, b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	must.Get(z.Write(b))(t)
	must.Do(t, z.Close())
	return out.Bytes()
}

func zstandarded(t *testing.T, b []byte) []byte {
	z := must.Get(zstd.NewWriter(nil))(t)
	defer z.Close()
	return z.EncodeAll(b, nil)
}

// wide encodes a text as UTF-16 with a byte order mark, little or big endian.
func wide(text string, big bool) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		lo, hi := byte(u), byte(u>>8)
		if big {
			lo, hi = hi, lo
		}
		b = append(b, lo, hi)
	}
	return b
}

// samples returns the sum of the samples of a trace.
func samples(t *testing.T, src tracer.Source) int64 {
	tree := must.Get(callingcontext.Grow(src, nil, nil, nil))(t)
	return tree.Total(callingcontext.Root, 0, true)
}

// TestPacked opens stacks and a trace in all packings, by a path and from a stream.
func TestPacked(t *testing.T) {
	plain := []byte(stacksText)
	whole := must.Get(os.ReadFile("../../testdata/profiles/go.pb.gz"))(t)
	trace := must.Get(os.ReadFile("testdata/stacks.whorl"))(t)
	for _, c := range []struct {
		name string
		b    []byte
	}{
		{"a.gz", zipped(t, plain)},
		{"a.zst", zstandarded(t, plain)},
		{"a.gz.zst", zstandarded(t, zipped(t, plain))},
		{"a.whorl.zst", zstandarded(t, trace)},
		{"b.whorl.gz", zipped(t, trace)},
		{"a.bz2", must.Get(os.ReadFile("testdata/stacks.bz2"))(t)},
		{"a.xz", must.Get(os.ReadFile("testdata/stacks.xz"))(t)},
		{"a.txt", wide(stacksText, false)},
		{"b.txt", wide(stacksText, true)},
		{"c.txt", []byte("\ufeff" + stacksText)},
	} {
		name, b := c.name, c.b
		path := filepath.Join(t.TempDir(), name)
		must.Do(t, os.WriteFile(path, b, 0o644))
		for k, open := range []func() (*Trace, error){
			func() (*Trace, error) { return File(path) },
			func() (*Trace, error) { return Files([]string{path}, "", Options{}) },
			func() (*Trace, error) { return Reader(name, bytes.NewReader(b)) },
			func() (*Trace, error) { return Files([]string{path}, "collapsed", Options{}) },
		} {
			if k == 3 && strings.Contains(name, "whorl") {
				continue
			}
			tr, err := open()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if n := samples(t, tr); n != 7 {
				t.Errorf("%s: %d samples, want 7", name, n)
			}
			must.Do(t, tr.Close())
		}
	}
	path := filepath.Join(t.TempDir(), "go.pb.gz.zst")
	must.Do(t, os.WriteFile(path, zstandarded(t, whole), 0o644))
	if name := FormatOf(path); name != "pprof" {
		t.Errorf("a packed profile is of the format %q", name)
	}
	spans := filepath.Join(t.TempDir(), "shop.zst")
	must.Do(t, os.WriteFile(spans, zstandarded(t, must.Get(os.ReadFile("../../testdata/traces/shop.otlp.json"))(t)), 0o644))
	if name := FormatOf(spans); name != "otlp" {
		t.Errorf("packed spans are of the format %q", name)
	}
	if sets := Sets([]string{path, "../../testdata/profiles/go.pb.gz"}); len(sets) != 1 || sets[0].Format != "pprof" {
		t.Errorf("two profiles, one of them packed, are %v", sets)
	}
}

// TestBadPacking checks that damaged and hostile packings are errors.
func TestBadPacking(t *testing.T) {
	huge := must.Get(hex.DecodeString("fd377a585a000004e6d6b446020021012800000000"))(t) // a dictionary of 4 GiB
	for _, b := range [][]byte{huge, []byte("BZh9garbage"), []byte("\x28\xb5\x2f\xfdgarbage"), []byte("\x1f\x8bgarbage"), zstandarded(t, []byte(stacksText))[:12]} {
		if tr, err := Reader("a", bytes.NewReader(b)); err == nil {
			t.Errorf("%q opens with %d samples", b, samples(t, tr))
		}
	}
	long := zipped(t, bytes.Repeat([]byte(stacksText), 1000))
	r, _, err := unpacked(io.MultiReader(bytes.NewReader(long[:len(long)-9]), bytes.NewReader(nil)), detects)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, r); err == nil || err.Error() != "the file, packed by gzip, is cut" {
		t.Errorf("a cut file: %v", err)
	}
}

// TestPackingOfFile checks that the errors of packed files name the file.
func TestPackingOfFile(t *testing.T) {
	for _, b := range [][]byte{[]byte("\x1f\x8b"), zstandarded(t, []byte(stacksText))[:12], []byte("BZh9")} {
		path := filepath.Join(t.TempDir(), "cut")
		must.Do(t, os.WriteFile(path, b, 0o644))
		if _, err := File(path); err == nil || !strings.HasPrefix(err.Error(), path+": the file, packed by ") {
			t.Errorf("%q: %v", b, err)
		}
	}
}

// TestRemedies checks what is said of files that are no traces.
func TestRemedies(t *testing.T) {
	for _, c := range []struct{ head, want string }{
		{"PERFILE2\x00\x00", "run perf script"},
		{"\x7fELF\x02\x01\x01", "it is a program"},
		{"<!DOCTYPE html><html>", "it is a page in HTML"},
		{"<?xml version=\"1.0\"?><svg>", "it is a picture"},
		{"package main\n\nfunc main() {}\n", "it is the text of a program"},
		{"#include <stdio.h>\n", "it is the text of a program"},
		{"something else entirely\n", "--from names the format"},
		{"", "the file is empty"},
	} {
		if _, err := Reader("f", strings.NewReader(c.head)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q in it", c.head, err, c.want)
		}
	}
}
