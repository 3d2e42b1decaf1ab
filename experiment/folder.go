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
// known by what they begin with, logs by their names. Where a folder has no profiles itself those of the folders in it are one trace.
func logsIn(path, format string) (paths []string, f formats.Format) {
	files, folders := entries(path)
	if paths, f = ofOneFormat(files, format); len(paths) > 0 {
		return paths, f
	}
	for _, folder := range folders {
		more, _ := entries(folder)
		files = append(files, more...)
	}
	if paths, f = ofOneFormat(files, format); len(paths) > 0 && f.Profile {
		return paths, f
	}
	return nil, formats.Format{}
}

// entries are the files and the folders in a folder, in natural order; none of what is no folder.
func entries(path string) (files, folders []string) {
	all, err := os.ReadDir(path)
	if err != nil {
		return nil, nil
	}
	slices.SortFunc(all, func(a, b os.DirEntry) int { return profile.Natural(a.Name(), b.Name()) })
	for _, e := range all {
		name := filepath.Join(path, e.Name())
		switch info, err := os.Stat(name); {
		case err != nil:
		case info.IsDir():
			folders = append(folders, name)
		case info.Mode().IsRegular():
			files = append(files, name)
		}
	}
	return files, folders
}

// ofOneFormat are those of some files that are of the first format that has any, or of the one that is asked for.
func ofOneFormat(files []string, format string) (paths []string, f formats.Format) {
	of := make([][]string, len(formats.All))
	for _, name := range files {
		head := headOf(name)
		for k, f := range formats.All {
			if f.ReadAll != nil && (format == "" || f.Name == format) && (strings.HasSuffix(name, f.Ext) || f.Profile && f.Detect(head)) {
				of[k] = append(of[k], name)
				break
			}
		}
	}
	for k, paths := range of {
		if len(paths) > 0 {
			if formats.All[k].Profile {
				paths = withEmpty(paths, files)
			}
			return paths, formats.All[k]
		}
	}
	return nil, f
}

// withEmpty adds to profiles those of some files that are empty and have an ending that a profile has: processes that wrote nothing are not
// passed over.
func withEmpty(profiles, files []string) []string {
	endings := map[string]bool{}
	for _, p := range profiles {
		endings[filepath.Ext(p)] = true
	}
	for _, p := range files {
		info, err := os.Stat(p)
		if err == nil && info.Mode().IsRegular() && info.Size() == 0 && endings[filepath.Ext(p)] && !slices.Contains(profiles, p) {
			profiles = append(profiles, p)
		}
	}
	slices.SortFunc(profiles, profile.Natural)
	return profiles
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
	names, hosts := processNames(paths), hostNames(paths)
	files := make([]formats.File, len(paths))
	for i, p := range paths {
		in := &lazyFile{path: p}
		defer in.Close()
		files[i] = formats.File{Name: p, Host: hosts[i], Process: names[i], R: in}
	}
	opts, done, err := o.options()
	if err != nil {
		return err
	}
	defer done()
	if err := f.ReadAll(files, named(rec, f, path, len(paths)), formats.Options{Profile: opts}); err != nil {
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

// ReadAt reads a part of the file, which is not kept open.
func (l *lazyFile) ReadAt(b []byte, offset int64) (int, error) {
	f, err := os.Open(l.path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.ReadAt(b, offset)
}

// Size is the length of the file in bytes.
func (l *lazyFile) Size() (int64, error) {
	info, err := os.Stat(l.path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (l *lazyFile) Close() {
	if l.f != nil && l.err == nil {
		l.f.Close()
		l.err = io.ErrClosedPipe
	}
}

// profileEndings are endings of the names of profiles that say nothing of their processes.
var profileEndings = []string{".gz", ".pb", ".pprof", ".prof", ".txt", ".perf", ".cpu", ".out", ".collapsed", ".folded", ".json", ".speedscope"}

// hostNames are the folders that files are in, where these are several: those of a host are kept together.
func hostNames(paths []string) []string {
	names := make([]string, len(paths))
	seen, short := map[string]bool{}, map[string]bool{}
	for i, p := range paths {
		names[i] = filepath.Dir(p)
		seen[names[i]], short[filepath.Base(names[i])] = true, true
	}
	for i := range names {
		switch {
		case len(seen) == 1:
			names[i] = ""
		case len(seen) == len(short):
			names[i] = filepath.Base(names[i])
		}
	}
	return names
}

// processNames are short names for files, each with what tells it from the others of its host.
func processNames(paths []string) []string {
	names, hosts := make([]string, len(paths)), hostNames(paths)
	seen := map[string]bool{}
	for i, p := range paths {
		names[i] = filepath.Base(p)
		for _, end := range profileEndings {
			if short := strings.TrimSuffix(names[i], end); short != "" {
				names[i] = short
			}
		}
		seen[hosts[i]+"/"+names[i]] = true
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
