package open

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/tracer/formats"
	"whorl/tracer/store"
)

// Create creates the trace file of a run, or empties an existing one. It can be read while it grows.
func Create(path string) (*store.Writer, error) {
	w, err := store.Create(path)
	if err != nil {
		return nil, files.CannotWrite(path, err)
	}
	return w, nil
}

// CheckName returns an error unless path ends in .whorl, because other extensions select other formats.
func CheckName(path string) error {
	if filepath.Ext(path) == whorl.Ext {
		return nil
	}
	return errors.New(path + ": a trace file is named FILE" + whorl.Ext + "; whorl convert writes other formats")
}

// TargetFormat returns the name of the format for writing path: the given format, or the one of the file's extension. The error for an
// unknown format lists the known formats and others, the formats that the caller writes itself.
func TargetFormat(path, format string, others ...string) (string, error) {
	known := append(FormatNames(), others...)
	if format != "" {
		if _, ok := find(format); !ok {
			return "", nearest.Unknown("format", format, known)
		}
		return format, nil
	}
	var writable []string
	folder := isFolder(path)
	why := "unknown extension"
	if folder {
		why = "a folder"
	}
	for _, f := range Formats() {
		if folder && f.WriteAll != nil {
			return f.Name, nil
		}
		writes := f.Write != nil || f.Name == whorl.Name
		switch fits := strings.HasSuffix(path, f.Ext) || f.Begins != "" && strings.HasPrefix(filepath.Base(path), f.Begins); {
		case fits && writes:
			return f.Name, nil
		case fits:
			why = "whorl reads " + f.Name + " and does not write it"
		}
		if writes {
			writable = append(writable, f.Name)
		}
	}
	return "", errors.New(path + ": " + why + "; choose a format with --to: " + strings.Join(append(writable, others...), ", "))
}

// Write writes the trace file path with the events that fill records.
func Write(w *files.Writer, path string, fill func(tracer.Recorder) error) error {
	return w.Write(path, func(out io.Writer) error { return store.Record(out, fill) })
}

// isFolder reports whether path names a folder, which may not exist yet.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return path != "" && os.IsPathSeparator(path[len(path)-1]) || err == nil && info.IsDir()
}

// Export writes a trace in a format of FormatNames, to the file path, or to the files of the folder path.
func Export(w *files.Writer, src tracer.StreamSource, path, format string) error {
	if format == whorl.Name {
		return Write(w, path, func(rec tracer.Recorder) error { return tracer.Copy(rec, src) })
	}
	f, ok := find(format)
	if !ok || f.Write == nil {
		return errors.New("the format " + format + " cannot be written")
	}
	if !isFolder(path) {
		return w.Write(path, func(out io.Writer) error { return f.Write(out, src) })
	}
	if f.WriteAll == nil {
		return errors.New(path + ": a folder; " + f.Name + " writes one file")
	}
	return exportAll(w, src, path, f)
}

// exportAll writes the files of a trace to a folder. Other logs in the folder would be read as a part of the trace.
func exportAll(w *files.Writer, src tracer.Source, dir string, f formats.Format) error {
	var names []string
	var writes []func(io.Writer) error
	err := f.WriteAll(src, func(name string, write func(io.Writer) error) error {
		names, writes = append(names, filepath.Join(dir, name)), append(writes, write)
		return nil
	})
	if err != nil {
		return err
	}
	old, _ := os.ReadDir(dir) // MkdirAll reports the error of the folder
	for _, entry := range old {
		if name := filepath.Join(dir, entry.Name()); strings.HasSuffix(name, f.Ext) && !slices.Contains(names, name) {
			return errors.New(name + " is a log of another trace: choose another folder, or remove it")
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return files.CannotWrite(dir, err)
	}
	for i, name := range names {
		if err := w.Write(name, writes[i]); err != nil {
			return err
		}
	}
	return nil
}

// LeftOut lists the kinds of events in a trace that a format cannot hold, each with its count, and then the properties of its samples: "Mark (3),
// lines of frames". It returns "" if the format holds all of them.
func LeftOut(src tracer.Source, format string) (string, error) {
	f, ok := find(format)
	if !ok {
		return "", nil
	}
	var left []string
	for k, n := range src.Counts() {
		if n > 0 && !f.Holds.Contains(tracer.Kind(k)) {
			left = append(left, tracer.Kind(k).String()+" ("+figures.Count(n)+")")
		}
	}
	if f.Omits != 0 {
		more, err := f.Omits.In(src)
		if err != nil {
			return "", err
		}
		left = append(left, more...)
	}
	return strings.Join(left, ", "), nil
}
