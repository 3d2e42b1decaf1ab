// Package formats lists the trace formats of other programs. Each format has a package below this one and an entry in All.
// Whorl's own two forms are in tracer (text) and tracer/store (binary file).
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
	"whorl/tracer/formats/table"
	"whorl/tracer/formats/vista"
)

// A Format reads and writes the traces of another program.
type Format struct {
	Name string // as given on the command line
	Doc  string // a description in a few words
	Ext  string // file name extension, with the dot

	// Detect reports whether a file that begins with head, up to a few thousand bytes, may be in the format.
	Detect func(head []byte) bool
	// Read reads a trace into rec and does not close rec. An error gives the position in the file and what was expected.
	// Events before the error may have been recorded.
	Read func(r io.Reader, rec tracer.Recorder, o Options) error
	// ReadAll reads several files that form one trace. It is nil if every file of the format is a trace.
	ReadAll func(files []File, rec tracer.Recorder, o Options) error
	// Write writes the part of a trace that the format can express. It is nil if the format can only be read.
	Write func(w io.Writer, src tracer.Source) error
	// WriteAll is like Write with a file for each node of the trace. It calls create for each with the name of the file, in a folder of their own. It is
	// nil if the format has one file for a trace.
	WriteAll func(src tracer.Source, create func(name string, write func(io.Writer) error) error) error
	Holds    tracer.KindSet // the kinds of events that Write writes
	// Profile reports that each file of the format is the profile of a process. Several such files named together form one trace,
	// whatever their extensions.
	Profile bool
	// Numbered reports that the format names clauses by their numbers in a program, which Options.Clauses supplies.
	Numbered bool
}

// A File is one of the files of a trace.
type File = profile.File

// Options supply what a file does not contain. The zero Options is valid.
type Options struct {
	File    string       // name of the file, for errors
	Process string       // name of the profiled process
	Clauses *tracer.Dict // code table of the traced program, for formats that give only the numbers of clauses
	Profile profile.Options
}

// All lists the formats in the order of their names.
var All = []Format{
	ofProfiles(Format{
		Name: "collapsed", Doc: "collapsed stacks, the input of flame graphs: lines such as main;solve;sweep 12", Ext: ".collapsed",
		Detect: collapsed.Detect,
	}, collapsed.Read),
	{
		Name: "dtslog", Doc: "logs of DTS threads, one for each node: init exit fork start end bjoin ajoin busy idle", Ext: ".dtslog",
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
		Write: dtslog.Write, WriteAll: dtslog.WriteAll, Holds: dtslog.Kinds,
	},
	ofProfiles(Format{
		Name: "hpctoolkit", Doc: "HPCToolkit databases, each a folder: meta.db, profile.db and trace.db, or the older experiment.xml and metric-db files", Ext: "experiment.xml",
		Detect: hpctoolkit.Detect,
	}, hpctoolkit.Read),
	ofProfiles(Format{
		Name: "perf", Doc: "the output of perf script (Linux): samples of one or several processes with their stacks", Ext: ".perf",
		Detect: perf.Detect,
	}, perf.Read),
	ofProfiles(Format{
		Name: "pprof", Doc: "pprof profiles of Go, gperftools and others, one for each process, compressed or not", Ext: ".pb.gz",
		Detect: pprof.Detect,
	}, pprof.Read),
	ofProfiles(Format{
		Name: "speedscope", Doc: "speedscope files: stacks with weights, or frames that open and close", Ext: ".speedscope.json",
		Detect: speedscope.Detect, Write: speedscope.Write, Holds: speedscope.Kinds,
	}, speedscope.Read),
	{
		Name: "table", Doc: "tables of runs as CSV, such as those of whorl sweep: a line of names, then a row for each run", Ext: ".csv",
		Detect: table.Detect,
		Read:   func(r io.Reader, rec tracer.Recorder, o Options) error { return table.Read(r, rec, o.File) },
	},
	{
		Name: "vista", Doc: "reductions of VISTA, the first kaleidoscope: time clause# pe index ppe pindex", Ext: ".vista",
		Detect: vista.Detect,
		Read:   func(r io.Reader, rec tracer.Recorder, o Options) error { return vista.Read(r, rec, o.Clauses) },
		Write:  vista.Write, Holds: tracer.Kinds(tracer.Reduce),
		Numbered: true,
	},
}

// ofProfiles completes a format whose files are profiles of processes with its reader.
func ofProfiles(f Format, read func([]File, tracer.Recorder, profile.Options) error) Format {
	f.Profile = true
	f.Read = func(r io.Reader, rec tracer.Recorder, o Options) error {
		return read([]File{{Name: o.File, Process: o.Process, R: r}}, rec, o.Profile)
	}
	f.ReadAll = func(files []File, rec tracer.Recorder, o Options) error { return read(files, rec, o.Profile) }
	return f
}
