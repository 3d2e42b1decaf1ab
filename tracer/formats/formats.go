// Package formats lists the foreign trace formats: those of other programs. A format is a package beside this one and a line in All; the
// trace's own two forms are in tracer (text) and tracer/store (the file).
package formats

import (
	"io"

	"whorl/tracer"
	"whorl/tracer/formats/collapsed"
	"whorl/tracer/formats/dtslog"
	"whorl/tracer/formats/hpctoolkit"
	"whorl/tracer/formats/perf"
	"whorl/tracer/formats/pprof"
	"whorl/tracer/formats/profile"
	"whorl/tracer/formats/speedscope"
	"whorl/tracer/formats/vista"
)

// A Format reads and writes the traces of another program.
type Format struct {
	Name string // as the command line knows it
	Doc  string // what it is, in a few words
	Ext  string // ending of its files, with the dot

	// Detect says whether a file that begins with head, up to a few thousand bytes, may be of the format.
	Detect func(head []byte) bool
	// Read reads a trace into a recorder, which it does not close. An error says where in the file, and what was expected; what came
	// before it may have been recorded.
	Read func(r io.Reader, rec tracer.Recorder, o Options) error
	// ReadAll reads several files that are one trace; nil for a format of which each file is a trace.
	ReadAll func(files []File, rec tracer.Recorder, o Options) error
	// Write writes what the format can say of a trace; nil where it can only be read.
	Write func(w io.Writer, src tracer.Source) error
	Holds tracer.KindSet // the kinds of events that Write has a place for
	// Profile says that files of the format are the profiles of processes: several that are named together are one trace, whatever their
	// names end with.
	Profile bool
}

// A File is one of several that are a trace.
type File = profile.File

// Options say what a file leaves open. The zero Options is always enough.
type Options struct {
	File    string       // name of the file, for errors
	Process string       // what the process is called whose profile it is
	Clauses *tracer.Dict // code table of the program that made the trace, for formats that only number its clauses
	Profile profile.Options
}

// All are the formats, by name.
var All = []Format{
	ofProfiles(Format{
		Name: "collapsed", Doc: "collapsed stacks, as flame graphs are made of: a line for each stack, main;solve;sweep 12", Ext: ".collapsed",
		Detect: collapsed.Detect,
	}, collapsed.Read),
	{
		Name: "dtslog", Doc: "threads in the seven events of DTS: init exit fork start end bjoin ajoin, a log for each node", Ext: ".dtslog",
		Detect: dtslog.Detect,
		Read: func(r io.Reader, rec tracer.Recorder, o Options) error {
			return dtslog.Read([]dtslog.File{{Name: o.File, R: r}}, rec)
		},
		ReadAll: func(files []File, rec tracer.Recorder, _ Options) error {
			logs := make([]dtslog.File, len(files))
			for i, f := range files {
				logs[i] = dtslog.File{Name: f.Name, R: f.R}
			}
			return dtslog.Read(logs, rec)
		},
		Write: dtslog.Write, Holds: dtslog.Kinds,
	},
	ofProfiles(Format{
		Name: "hpctoolkit", Doc: "databases of HPCToolkit, a folder each: meta.db, profile.db and trace.db, or the older experiment.xml with metric-db files", Ext: "experiment.xml",
		Detect: hpctoolkit.Detect,
	}, hpctoolkit.Read),
	ofProfiles(Format{
		Name: "perf", Doc: "what perf script of Linux writes: samples of one process or of many, with their stacks", Ext: ".perf",
		Detect: perf.Detect,
	}, perf.Read),
	ofProfiles(Format{
		Name: "pprof", Doc: "profiles of pprof, one for each process: of Go, gperftools and others, packed or not", Ext: ".pb.gz",
		Detect: pprof.Detect,
	}, pprof.Read),
	ofProfiles(Format{
		Name: "speedscope", Doc: "files of speedscope, of stacks with weights or of frames that open and close", Ext: ".speedscope.json",
		Detect: speedscope.Detect, Write: speedscope.Write, Holds: speedscope.Kinds,
	}, speedscope.Read),
	{
		Name: "vista", Doc: "the reductions of VISTA, the first kaleidoscope: time clause# pe index ppe pindex", Ext: ".vista",
		Detect: vista.Detect,
		Read:   func(r io.Reader, rec tracer.Recorder, o Options) error { return vista.Read(r, rec, o.Clauses) },
		Write:  vista.Write, Holds: tracer.Kinds(tracer.Reduce),
	},
}

// ofProfiles is a format whose files are profiles of processes, with the reader of them.
func ofProfiles(f Format, read func([]File, tracer.Recorder, profile.Options) error) Format {
	f.Profile = true
	f.Read = func(r io.Reader, rec tracer.Recorder, o Options) error {
		return read([]File{{Name: o.File, Process: o.Process, R: r}}, rec, o.Profile)
	}
	f.ReadAll = func(files []File, rec tracer.Recorder, o Options) error { return read(files, rec, o.Profile) }
	return f
}
