//go:build !js

package ninja

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats/actions"
)

const (
	manifestFile = "build.ninja"
	depsFile     = ".ninja_deps"
)

// Options select the part of a log to read.
type Options struct {
	Offset   int64  // entries from this byte of the log on
	Manifest string // the file of the graph in the folder; "" stands for build.ninja
}

// Read reads a log without its graph.
func Read(_ string, r io.Reader, rec tracer.Recorder) error {
	return record(r, rec, Options{}, func(*graph) error { return errors.New("the log came without its folder") })
}

// ReadIn reads a log in a folder, with its graph if it is there. The metadata have the errors in the graph.
func ReadIn(folder fs.FS, name string, rec tracer.Recorder, o Options) error {
	f, err := folder.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if o.Manifest == "" {
		o.Manifest = manifestFile
	}
	return record(f, rec, o, func(g *graph) error { return g.read(folder, o.Manifest) })
}

// record reads a log, and calls dependencies, which fills the graph.
func record(r io.Reader, rec tracer.Recorder, o Options, dependencies func(*graph) error) error {
	l, err := readLog(r, o.Offset)
	if err != nil {
		return err
	}
	if len(l.entries) == 0 {
		return errors.New("no action has run: the log has no entries")
	}
	b := &actions.Build{Program: "ninja", Process: "ninja"}
	g := newGraph()
	byOutput := l.actions(b, g)
	err = dependencies(g)
	switch {
	case g.edges == 0:
		b.Dropped.Once(fmt.Sprintf("dependencies are unknown: %v", err))
	case err != nil:
		b.Dropped.Once(err.Error())
	}
	g.connect(b, byOutput)
	last := b.Actions[0]
	for _, a := range b.Actions {
		if a.Ran && a.To > last.To {
			last = a
		}
	}
	b.Args = []string{last.Name}
	b.Dropped.Add("actions of earlier runs", l.earlier)
	if l.cut {
		b.Dropped.Once("the end of the log: its last line has no end")
	}
	if g.cut != "" {
		b.Dropped.Once(g.cut)
	}
	b.Dropped.Add("lines of the log that cannot be read", l.damaged)
	b.Dropped.Add("files of the graph that cannot be read", g.unreadable)
	b.Record(rec)
	return nil
}

// clean returns a path as Ninja writes it into its log.
func clean(p string) string {
	if strings.Contains(p, "./") || strings.Contains(p, "//") || strings.HasSuffix(p, "/") || strings.HasSuffix(p, "/.") || strings.HasSuffix(p, "/..") {
		return path.Clean(p)
	}
	return p
}

// lineError is the error for a line of a file.
func lineError(file string, line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", file, line, fmt.Sprintf(format, args...))
}
