package profile

import (
	"slices"
	"unicode/utf8"

	"whorl/tracer"
)

// Bounds of the source text in a trace, in bytes: for one file, and for all.
const (
	MostSource  = 1 << 20
	mostSources = 64 << 20
)

// sources adds the source files of the recorded lines to the metadata, sorted by name. It counts the files beyond the bounds as dropped.
func (w *Writer) sources() {
	if w.opts.Source == nil {
		return
	}
	named := map[string]bool{}
	for _, c := range w.dict.Codes() {
		if c.Type == tracer.Line && c.File != "" {
			named[c.File] = true
		}
	}
	names := make([]string, 0, len(named))
	for name := range named {
		names = append(names, name)
	}
	slices.Sort(names)
	size, left := 0, 0
	for _, name := range names {
		text, ok := w.opts.Source(name)
		switch {
		case !ok || !utf8.ValidString(text):
		case len(text) > MostSource || size+len(text) > mostSources:
			left++
		default:
			size += len(text)
			w.Meta.Source = append(w.Meta.Source, tracer.SourceFile{Name: name, Text: text})
		}
	}
	if left > 0 {
		w.Dropped.Add("sources too long to store in the trace", int64(left))
	}
}
