package experiment

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats"
	"whorl/tracer/formats/profile"
)

// logsIn lists the files of a folder that together are a trace, a log for each node or a profile for each process, in the natural order of their
// names. The format is the one asked for, or the first that has any; the list is empty for what is no folder, or one without logs. Profiles are
// known by what they begin with, logs by their names.
func logsIn(path, format string) (paths []string, f formats.Format) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return nil, f
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, f
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return profile.Natural(a.Name(), b.Name()) })
	for _, f = range formats.All {
		if f.ReadAll == nil || format != "" && f.Name != format {
			continue
		}
		for _, e := range entries {
			name := filepath.Join(path, e.Name())
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && (strings.HasSuffix(name, f.Ext) || f.Profile && f.Detect(headOf(name))) {
				paths = append(paths, name)
			}
		}
		if len(paths) > 0 {
			return paths, f
		}
	}
	return nil, f
}

// headOf is the beginning of a file, nothing of one that cannot be read, or is a pipe or the like, which is read once only.
func headOf(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head, err := readHead(f)
	if err != nil {
		return nil
	}
	return head
}

// readFiles reads files that are one trace into rec.
func readFiles(path string, paths []string, f formats.Format, rec tracer.Recorder, o Reading) error {
	names := processNames(paths)
	files := make([]formats.File, len(paths))
	for i, p := range paths {
		in := &lazyFile{path: p}
		defer in.Close()
		files[i] = formats.File{Name: p, Process: names[i], R: in}
	}
	opts, done, err := o.options()
	if err != nil {
		return err
	}
	defer done()
	if err := f.ReadAll(files, rec, formats.Options{Profile: opts}); err != nil {
		return notRead(path, err)
	}
	return nil
}

// A lazyFile is opened when it is first read, and closed at its end: there may be more files than may be open at a time.
type lazyFile struct {
	path string
	f    *os.File
	err  error
}

func (l *lazyFile) Read(b []byte) (n int, err error) {
	if l.f == nil && l.err == nil {
		l.f, l.err = os.Open(l.path)
	}
	if l.err != nil {
		return 0, l.err
	}
	if n, err = l.f.Read(b); err != nil {
		l.err = err
		l.f.Close()
	}
	return n, err
}

func (l *lazyFile) Close() {
	if l.f != nil && l.err == nil {
		l.f.Close()
		l.err = io.ErrClosedPipe
	}
}

// profileEndings are endings of the names of profiles that say nothing of their processes.
var profileEndings = []string{".gz", ".pb", ".pprof", ".prof", ".txt", ".perf", ".cpu", ".out"}

// processNames are short names for files, each with what tells it from the others.
func processNames(paths []string) []string {
	names := make([]string, len(paths))
	seen := map[string]bool{}
	for i, p := range paths {
		names[i] = filepath.Base(p)
		for _, end := range profileEndings {
			if short := strings.TrimSuffix(names[i], end); short != "" {
				names[i] = short
			}
		}
		seen[names[i]] = true
	}
	if len(seen) == len(paths) {
		return names
	}
	return slices.Clone(paths)
}

// isFolderOfLogs says whether a folder is opened as a trace.
func isFolderOfLogs(path string) bool {
	paths, _ := logsIn(path, "")
	return len(paths) > 0
}
