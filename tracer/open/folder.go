package open

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/formats"
	"whorl/tracer/formats/profile"
)

// logsIn lists the files of a folder that form one trace, a log for each node or a profile for each process, in the natural order of their
// names. The format is the given one, or the first format with files. Logs are recognised by their extensions, profiles by their content. The
// profiles in the folders of a folder without profiles form one trace too, and so do those in an archive. The list is empty for other paths.
func logsIn(path, format string) (paths []string, f formats.Format) {
	if paths, f = profilesOf(path, format); len(paths) > 0 {
		return paths, f
	}
	inside, folders := entries(path)
	if paths, f = ofOneFormat(inside, format); len(paths) > 0 {
		return paths, f
	}
	for _, folder := range folders {
		more, _ := entries(folder)
		inside = append(inside, more...)
	}
	if paths, f = ofOneFormat(inside, format); len(paths) > 0 && f.Profile {
		return paths, f
	}
	return nil, formats.Format{}
}

// fileIn returns the path of the file that stands for a folder: the table of a sweep, or the first file of a trace that fills a folder. It returns
// other paths as they are. A folder with several traces is an error.
func fileIn(path string) (string, error) {
	if table := filepath.Join(path, "table.csv"); files.IsRegular(table) && files.IsRegular(filepath.Join(path, "runs.jsonl")) {
		return table, nil
	}
	inside := firstFiles(path)
	switch len(inside) {
	case 0:
		return path, nil
	case 1:
		return inside[0], nil
	}
	return "", fmt.Errorf("%s: a folder with %d traces: open one of them, such as %s", path, len(inside), inside[0])
}

// firstFiles returns the first files of the traces that fill a folder.
func firstFiles(path string) []string {
	inside, _ := entries(path)
	return slices.DeleteFunc(inside, func(name string) bool {
		return !slices.ContainsFunc(formats.All, func(f formats.Format) bool {
			return f.ReadIn != nil && (strings.HasSuffix(name, f.Ext) || filepath.Base(name) == f.Main) && f.Detect(headOf(name))
		})
	})
}

// entries returns the regular files and the folders in a folder, in natural order; none for a path that is not a folder.
func entries(path string) (regular, folders []string) {
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
			regular = append(regular, name)
		}
	}
	return regular, folders
}

// ofOneFormat returns the files of the given format, or of the first format that has any.
func ofOneFormat(paths []string, format string) (found []string, f formats.Format) {
	return ofFormat(paths, format, headOf)
}

// ofFormat is ofOneFormat for files whose beginnings head returns.
func ofFormat(paths []string, format string, head func(path string) []byte) (found []string, f formats.Format) {
	byFormat := make([][]string, len(formats.All))
	for _, name := range paths {
		head := head(name)
		for k, f := range formats.All {
			if f.ReadAll != nil && (format == "" || f.Name == format) && (strings.HasSuffix(name, f.Ext) || f.Profile && f.Detect(head)) {
				byFormat[k] = append(byFormat[k], name)
				break
			}
		}
	}
	for k, found := range byFormat {
		if len(found) > 0 {
			if formats.All[k].Profile {
				found = withEmpty(found, paths)
			}
			return found, formats.All[k]
		}
	}
	return nil, f
}

// withEmpty adds to profiles the empty files among paths with the extension of a profile, because a process that wrote nothing still counts.
func withEmpty(profiles, paths []string) []string {
	endings := map[string]bool{}
	for _, p := range profiles {
		endings[filepath.Ext(p)] = true
	}
	for _, p := range paths {
		info, err := os.Stat(p)
		if err == nil && info.Mode().IsRegular() && info.Size() == 0 && endings[filepath.Ext(p)] && !slices.Contains(profiles, p) {
			profiles = append(profiles, p)
		}
	}
	slices.SortFunc(profiles, profile.Natural)
	return profiles
}

// readFiles reads the files of one trace into rec.
func readFiles(path string, paths []string, f formats.Format, rec tracer.Recorder, o Options) error {
	names, hosts := processNames(paths), hostNames(paths)
	inputs := make([]formats.File, len(paths))
	archives := map[string][]archived{}
	for i, p := range paths {
		in := &lazyFile{path: p, known: f.Detect}
		if _, err := os.Lstat(p); err != nil {
			in.member, in.inArchive = memberOf(p, archives)
		}
		defer in.Close()
		inputs[i] = formats.File{Name: p, Host: hosts[i], Process: names[i], R: in}
	}
	opts, done, err := o.profile()
	if err != nil {
		return err
	}
	defer done()
	if err := f.ReadAll(inputs, named(rec, f, path, len(paths)), formats.Options{Profile: opts}); err != nil {
		return cannotRead(path, err)
	}
	return nil
}

// A lazyFile is opened by its first Read and closed at its end, because there may be more files than a process may have open.
type lazyFile struct {
	path  string
	known func(head []byte) bool // of a file that is read as it is; others may be packed
	f     io.ReadCloser
	in    io.Reader // its contents
	err   error

	member    archived // in place of the file
	inArchive bool
}

// open opens the file.
func (l *lazyFile) open() (io.ReadCloser, error) {
	if l.inArchive {
		return io.NopCloser(bytes.NewReader(l.member.data)), nil
	}
	return os.Open(l.path)
}

func (l *lazyFile) Read(b []byte) (n int, err error) {
	if l.f == nil && l.err == nil {
		if l.f, l.err = l.open(); l.err == nil {
			l.in, _, l.err = unpacked(l.f, l.known)
		}
	}
	if l.err != nil {
		return 0, l.err
	}
	if n, err = l.in.Read(b); err != nil {
		l.err = err
		l.f.Close()
	}
	return n, err
}

// ReadAt opens the file, reads a part of it and closes it.
func (l *lazyFile) ReadAt(b []byte, offset int64) (int, error) {
	if l.inArchive {
		return bytes.NewReader(l.member.data).ReadAt(b, offset)
	}
	f, err := os.Open(l.path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.ReadAt(b, offset)
}

// Size returns the length of the file in bytes.
func (l *lazyFile) Size() (int64, error) {
	if l.inArchive {
		return int64(len(l.member.data)), nil
	}
	info, err := os.Stat(l.path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Reopen implements profile.Reopener.
func (l *lazyFile) Reopen() (io.ReadCloser, error) {
	return &lazyFile{path: l.path, known: l.known, member: l.member, inArchive: l.inArchive}, nil
}

func (l *lazyFile) Close() error {
	if l.f == nil || l.err != nil {
		return nil
	}
	l.err = io.ErrClosedPipe
	return l.f.Close()
}

// profileEndings are the extensions of profiles. They are no part of the name of a process.
var profileEndings = []string{".gz", ".pb", ".pprof", ".prof", ".txt", ".perf", ".cpu", ".out", ".collapsed", ".folded", ".json", ".speedscope", ".cpuprofile", ".heapprofile", ".callgrind", ".firefox", ".pstats", ".cali", ".hatchet", ".stackprof", ".jfr"}

// hostNames returns the folder of each file as its host if there are several folders, else "".
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

// processNames returns a short name for the process of each file, unique within its host, or else the paths.
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
