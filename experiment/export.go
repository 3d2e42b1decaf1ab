package experiment

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats"
	"whorl/tracer/store"
)

// CreateTrace begins a trace file, in place of what is there.
func CreateTrace(path string) (tracer.Recorder, error) {
	w, err := store.Create(path)
	if err != nil {
		return nil, CannotWrite(path, err)
	}
	return w, nil
}

// WriteTrace makes a trace file of what fill records. The file is removed when fill fails.
func WriteTrace(path string, fill func(tracer.Recorder) error) error {
	w, err := CreateTrace(path)
	if err != nil {
		return err
	}
	if err := fill(w); err != nil {
		_ = w.Close() // fill's error is the one that matters
		os.Remove(path)
		return err
	}
	if err := w.Close(); err != nil {
		return CannotWrite(path, err)
	}
	return nil
}

// TargetFormat is the format to write to a file: the one asked for, or that of the file's ending.
func TargetFormat(path, format string) (string, error) {
	if format != "" {
		if !slices.Contains(FormatNames(), format) {
			return "", Unknown("format", format, FormatNames(), "")
		}
		return format, nil
	}
	switch ext := filepath.Ext(path); ext {
	case ".whorl":
		return whorlFormat, nil
	case ".txt":
		return textFormat, nil
	default:
		for _, f := range formats.All {
			if f.Ext == ext && f.Write != nil {
				return f.Name, nil
			}
		}
	}
	return "", &InputError{path + ": no format has this ending; --to says which: " + strings.Join(FormatNames(), " ")}
}

// Export writes a trace to a file in a format of FormatNames. A file that could not be written whole is removed.
func Export(src tracer.StreamSource, path, format string) error {
	if format == whorlFormat {
		return WriteTrace(path, func(rec tracer.Recorder) error { return copyTrace(rec, src) })
	}
	write := tracer.WriteText
	if f, ok := foreign(format); ok {
		if f.Write == nil {
			return &InputError{"traces of the format " + format + " can be read but not written"}
		}
		write = func(w io.Writer, src tracer.Source) error { return f.Write(w, src) }
	}
	return WriteFile(path, func(w io.Writer) error { return write(w, src) })
}

// WriteFile makes a file of what fill writes, buffered. The file is removed when that fails.
func WriteFile(path string, fill func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return CannotWrite(path, err)
	}
	w := bufio.NewWriterSize(f, 1<<16)
	err = fill(w)
	if flushed := w.Flush(); err == nil && flushed != nil {
		err = CannotWrite(path, flushed)
	}
	if closed := f.Close(); err == nil && closed != nil {
		err = CannotWrite(path, closed)
	}
	if err != nil {
		os.Remove(path)
	}
	return err
}
