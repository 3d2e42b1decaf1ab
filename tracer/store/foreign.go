package store

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// foreigners are the beginnings of files that users mistake for .whorl files.
var foreigners = []struct{ head, what string }{
	{"whorl 1", "a trace in text form, which whorl dump --read reads"},
	{ringMark, "the ring file beside a trace that was not closed; open the trace itself"},
	{"\x1f\x8b", "a gzip file, perhaps a pprof profile"},
	{"PERFILE2", "a perf.data file"},
	{"go 1.", "an execution trace of Go"},
	{"PK\x03\x04", "a zip file"},
	{"\x7fELF", "an ELF program"},
	{"\x89PNG", "a PNG picture"},
	{"PAR1", "a Parquet file"},
	{"ARROW1", "an Arrow file"},
	{"SQLite format 3", "an SQLite database"},
	{"\x28\xb5\x2f\xfd", "a zstd file"},
	{"\x1f\x9d", "a compress file"},
	{"BZh", "a bzip2 file"},
	{"\xfd7zXZ", "an xz file"},
	{"%PDF", "a PDF file"},
	{"<svg", "an SVG picture"},
	{"<?xml", "an XML file"},
	{"{", "JSON"},
	{"[", "JSON"},
}

// A ForeignError reports a file that is not a .whorl file.
type ForeignError struct {
	Looks string // what the file looks like
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("not a .whorl trace: it looks like %s; expected a file that begins with %q", e.Looks, fileMark)
}

func looksLike(head []byte) string {
	head = head[:min(len(head), 512)]
	for _, f := range foreigners {
		if strings.HasPrefix(string(head), f.head) {
			return f.what
		}
	}
	text := head
	for len(text) > 0 && len(head)-len(text) < utf8.UTFMax && !utf8.Valid(text) {
		text = text[:len(text)-1] // the cut may have divided a character
	}
	if utf8.Valid(text) && !strings.ContainsRune(string(text), 0) {
		line, _, _ := strings.Cut(string(text), "\n")
		if len(line) > 60 {
			line = line[:60]
		}
		return fmt.Sprintf("text that begins with %q", line)
	}
	return fmt.Sprintf("binary data that begins with %q", head[:min(len(head), 8)])
}
