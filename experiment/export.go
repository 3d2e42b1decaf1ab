package experiment

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/formats"
	"whorl/tracer/store"
)

// CreateTrace begins the trace file of a run, in place of what is there: it can be read while it grows.
func CreateTrace(path string) (*store.Writer, error) {
	w, err := store.Create(path)
	if err != nil {
		return nil, CannotWrite(path, err)
	}
	return w, nil
}

// TraceName says whether a trace can be kept under that name: one that ends otherwise would be taken for something else.
func TraceName(path string) error {
	if filepath.Ext(path) == whorlEnding {
		return nil
	}
	return &InputError{path + ": a trace is kept as FILE" + whorlEnding + "; whorl convert makes other forms of it"}
}

// whorlEnding is the ending of the names of traces.
const whorlEnding = ".whorl"

// TargetFormat is the format to write to a file: the one asked for, or that of the file's ending. others are formats that the caller writes
// itself, for the error to name.
func TargetFormat(path, format string, others ...string) (string, error) {
	known := append(FormatNames(), others...)
	if format != "" {
		if !slices.Contains(FormatNames(), format) {
			return "", Unknown("format", format, known, "")
		}
		return format, nil
	}
	switch filepath.Ext(path) {
	case whorlEnding:
		return whorlFormat, nil
	case ".txt":
		return textFormat, nil
	default:
		for _, f := range formats.All {
			if strings.HasSuffix(path, f.Ext) && f.Write != nil {
				return f.Name, nil
			}
		}
	}
	return "", &InputError{path + ": no format has this ending; --to says which: " + strings.Join(known, " ")}
}

// WriteTrace makes a trace file of what fill records, as Write does.
func (f *Files) WriteTrace(path string, fill func(tracer.Recorder) error) error {
	return f.Write(path, func(out io.Writer) error {
		w := store.New(out)
		if err := fill(w); err != nil {
			_ = w.Close() // fill's error is the one that matters
			return err
		}
		return w.Close()
	})
}

// Export writes a trace to a file in a format of FormatNames, as Write does.
func (f *Files) Export(src tracer.StreamSource, path, format string) error {
	if format == whorlFormat {
		return f.WriteTrace(path, func(rec tracer.Recorder) error { return copyTrace(rec, src) })
	}
	write := tracer.WriteText
	if other, ok := foreign(format); ok {
		if other.Write == nil {
			return &InputError{"traces of the format " + format + " can be read but not written"}
		}
		write = other.Write
	}
	return f.Write(path, func(w io.Writer) error { return write(w, src) })
}

// LeftOut says which events of a trace a format has no place for: their kinds, and how many there are of each; "" for none.
func LeftOut(src tracer.Source, format string) string {
	f, ok := foreign(format)
	if !ok {
		return ""
	}
	var left []string
	for k, n := range src.Counts() {
		if n > 0 && !f.Holds.Has(tracer.Kind(k)) {
			left = append(left, tracer.Kind(k).String()+" ("+figures.Count(n)+")")
		}
	}
	return strings.Join(left, ", ")
}
