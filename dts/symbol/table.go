package symbol

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"whorl/tracer"
)

// A Table enters functions and lines into the dictionary of a trace, each once, and collects their source files. Any
// goroutine may use it.
type Table struct {
	dict      *tracer.Dict
	sources   []tracer.SourceFile
	named     func(entry uintptr) string
	functions sync.Map // uintptr: uint32
	lines     sync.Map // uintptr: uint32
	mu        sync.Mutex
	paths     map[string]string // of source files that are not in sources, by their name in the dictionary
}

// NewTable returns a Table of a trace. The sources are files of the program by the names that the trace uses, matched
// by the last element of their names. A name that named returns for the entry point of a function replaces its own,
// unless it is "".
func NewTable(dict *tracer.Dict, sources []tracer.SourceFile, named func(entry uintptr) string) *Table {
	return &Table{dict: dict, sources: sources, named: named, paths: map[string]string{}}
}

// Function returns the dictionary entry of the function with the given entry point.
func (t *Table) Function(entry uintptr) uint32 {
	if id, ok := t.functions.Load(entry); ok {
		return id.(uint32)
	}
	c := tracer.Code{Type: tracer.Function, Name: Function(entry)}
	if name := t.named(entry); name != "" {
		c.Name = name
	}
	if f := runtime.FuncForPC(entry); f != nil {
		path, line := f.FileLine(entry)
		c.File, c.Line = t.File(path), int32(line)
	}
	id := t.dict.Add(c)
	t.functions.Store(entry, id)
	return id
}

// Line returns the dictionary entry of the line of the call that returns to pc.
func (t *Table) Line(pc uintptr) uint32 {
	if id, ok := t.lines.Load(pc); ok {
		return id.(uint32)
	}
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	c := tracer.Code{Type: tracer.Line, File: t.File(f.File), Line: int32(f.Line)}
	if f.Func != nil {
		c.Parent = t.Function(f.Func.Entry())
	}
	id := t.dict.Add(c)
	t.lines.Store(pc, id)
	return id
}

// File returns the name of a source file in the trace.
func (t *Table) File(path string) string {
	if i := t.source(path); i >= 0 {
		return t.sources[i].Name
	}
	name := path
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil && !strings.HasPrefix(rel, "..") {
			name = rel
		} else {
			name = filepath.Base(path)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.paths[name]; !ok {
		t.paths[name] = path
	}
	return name
}

// source returns the index of a file in sources, -1 if it is missing.
func (t *Table) source(path string) int {
	base := filepath.Base(path)
	return slices.IndexFunc(t.sources, func(f tracer.SourceFile) bool { return filepath.Base(f.Name) == base })
}

// Sources returns the source files of the program for the trace: those of NewTable and the others that the Table has
// named, as far as they can be read and are below 1 MiB.
func (t *Table) Sources() []tracer.SourceFile {
	all := slices.Clone(t.sources)
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(t.paths)) {
		if text, err := os.ReadFile(t.paths[name]); err == nil && len(text) < 1<<20 {
			all = append(all, tracer.SourceFile{Name: name, Text: string(text)})
		}
	}
	return all
}
