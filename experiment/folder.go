package experiment

import (
	"bufio"
	"os"
	"path/filepath"

	"whorl/tracer"
	"whorl/tracer/formats"
)

// logsIn lists the files of a folder that together are a trace, a log for each node, in the order of their names. The format is the one asked
// for, or the first that has any; the list is empty for what is no folder, or one without logs.
func logsIn(path, format string) (paths []string, f formats.Format) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return nil, f
	}
	entries, err := os.ReadDir(path) // by name
	if err != nil {
		return nil, f
	}
	for _, f = range formats.All {
		if f.ReadAll == nil || format != "" && f.Name != format {
			continue
		}
		for _, e := range entries {
			if filepath.Ext(e.Name()) == f.Ext && e.Type().IsRegular() {
				paths = append(paths, filepath.Join(path, e.Name()))
			}
		}
		if len(paths) > 0 {
			return paths, f
		}
	}
	return nil, f
}

// readLogs reads files that are one trace into memory.
func readLogs(path string, paths []string, f formats.Format) (*Trace, error) {
	var files []formats.File
	for _, p := range paths {
		in, err := os.Open(p)
		if err != nil {
			return nil, FileError(p, err)
		}
		defer in.Close()
		files = append(files, formats.File{Name: p, R: bufio.NewReaderSize(in, 1<<16)})
	}
	m := tracer.NewMemory()
	if err := f.ReadAll(files, m, formats.Options{}); err != nil {
		return nil, notRead(path, err)
	}
	return &Trace{StreamSource: m, Path: path}, m.Close()
}

// isFolderOfLogs says whether a folder is opened as a trace.
func isFolderOfLogs(path string) bool {
	paths, _ := logsIn(path, "")
	return len(paths) > 0
}
