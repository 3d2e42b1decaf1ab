// Package formats lists the trace formats of other programs. Each format has a package below this one and an entry in All.
// Whorl's own two forms are in tracer (text) and tracer/store (binary file).
package formats

import (
	"io"
	"io/fs"

	"whorl/tracer"
	"whorl/tracer/formats/actiongraph"
	"whorl/tracer/formats/caliper"
	"whorl/tracer/formats/callgrind"
	"whorl/tracer/formats/chrome"
	"whorl/tracer/formats/collapsed"
	"whorl/tracer/formats/cpuprofile"
	"whorl/tracer/formats/dtslog"
	"whorl/tracer/formats/firefox"
	"whorl/tracer/formats/gotrace"
	"whorl/tracer/formats/hatchet"
	"whorl/tracer/formats/hpctoolkit"
	"whorl/tracer/formats/instruments"
	"whorl/tracer/formats/jaeger"
	"whorl/tracer/formats/jfr"
	"whorl/tracer/formats/ninja"
	"whorl/tracer/formats/otf2"
	"whorl/tracer/formats/otlp"
	"whorl/tracer/formats/paje"
	"whorl/tracer/formats/perf"
	"whorl/tracer/formats/perfetto"
	"whorl/tracer/formats/pprof"
	"whorl/tracer/formats/profile"
	"whorl/tracer/formats/projections"
	"whorl/tracer/formats/pstats"
	"whorl/tracer/formats/speedscope"
	"whorl/tracer/formats/stackprof"
	"whorl/tracer/formats/table"
	"whorl/tracer/formats/tau"
	"whorl/tracer/formats/vista"
	"whorl/tracer/formats/zipkin"
)

// A Format reads and writes the traces of another program.
type Format struct {
	Name   string // as given on the command line
	Doc    string // a description in a few words
	Ext    string // file name extension, with the dot
	Begins string // what the names of its files may begin with in place of the extension; "" for nothing
	Main   string // name of the file that stands for its folder though it has another extension; "" for none

	// Detect reports whether a file that begins with head, up to a few thousand bytes, may be in the format.
	Detect func(head []byte) bool
	// Guess is like Detect for files that no format detects. It may be nil.
	Guess func(head []byte) bool
	// Read reads a trace into rec and does not close rec. An error gives the position in the file and what was expected.
	// Events before the error may have been recorded.
	Read func(r io.Reader, rec tracer.Recorder, o Options) error
	// ReadAll reads several files that form one trace. It is nil if every file of the format is a trace.
	ReadAll func(files []File, rec tracer.Recorder, o Options) error
	// ReadIn reads a trace that consists of a file, which Detect recognises, and others in its folder. It is nil if a file is enough. Otherwise Read
	// returns an error.
	ReadIn func(folder fs.FS, name string, rec tracer.Recorder, o Options) error
	// Write writes the part of a trace that the format can express. It is nil if the format can only be read.
	Write func(w io.Writer, src tracer.Source) error
	// WriteAll is like Write with a file for each node of the trace. It calls create for each with the name of the file, in a folder of their own. It is
	// nil if the format has one file for a trace.
	WriteAll func(src tracer.Source, create func(name string, write func(io.Writer) error) error) error
	Holds    tracer.KindSet // the kinds of events that Write writes
	Omits    profile.Omits  // the properties of samples that Write leaves out
	// Profile reports that each file of the format is the profile of a process. Several such files named together form one trace,
	// whatever their extensions.
	Profile bool
	// Events reports that the format has the events of real programs, which can be many.
	Events bool
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
	{
		Name: "actiongraph", Doc: "the actions of a build by the go command: go build -debug-actiongraph=FILE", Ext: ".actiongraph.json",
		Detect: actiongraph.Detect, Events: true,
		Read: func(r io.Reader, rec tracer.Recorder, o Options) error { return actiongraph.Read(o.File, r, rec) },
	},
	ofProfiles(Format{
		Name: "caliper", Doc: "profiles of Caliper: records (.cali), and JSON of cali-query -q 'format json-split'", Ext: ".cali",
		Detect: caliper.Detect,
	}, caliper.Read),
	ofProfiles(Format{
		Name: "callgrind", Doc: "profiles of Callgrind and Cachegrind (Valgrind), and of Xdebug: costs of lines and of calls", Ext: ".callgrind",
		Detect: callgrind.Detect, Begins: "callgrind.out.",
		Write: callgrind.Write, Holds: ofSamples, Omits: profile.Times | profile.Instructions | profile.Fractions | profile.Sources | profile.Negatives | profile.Labels,
	}, callgrind.Read),
	{
		Name: "chrome", Doc: "trace events in JSON of Chromium, Node, go build -debug-trace, clang -ftime-trace, PyTorch, Bazel and ninja, compressed or not", Ext: ".trace.json",
		Detect: chrome.Detect, Events: true,
		Read: func(r io.Reader, rec tracer.Recorder, o Options) error {
			return chrome.Read(File{Name: o.File, Process: o.Process, R: r}, rec, o.Profile)
		},
	},
	ofProfiles(Format{
		Name: "collapsed", Doc: "collapsed stacks, the input of flame graphs: lines such as main;solve;sweep 12", Ext: ".collapsed",
		Detect: collapsed.Detect, Guess: collapsed.Plain,
		Write: collapsed.Write, Holds: ofSamples, Omits: profile.Times | profile.Lines | profile.Instructions | profile.Metrics | profile.Sources | profile.Labels,
	}, collapsed.Read),
	ofProfiles(Format{
		Name: "cpuprofile", Doc: "profiles of V8: node --cpu-prof and --heap-prof, Chromium, Deno", Ext: ".cpuprofile",
		Detect: cpuprofile.Detect,
	}, cpuprofile.Read),
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
		Name: "firefox", Doc: "profiles of the Firefox Profiler, as profiler.firefox.com saves them, and of samply", Ext: ".firefox.json",
		Detect: firefox.Detect,
	}, firefox.Read),
	{
		Name: "gotrace", Doc: "execution traces of Go 1.22 to 1.26: of runtime/trace, go test -trace and /debug/pprof/trace, compressed or not", Ext: ".trace", Events: true,
		Detect: gotrace.Detect,
		Read: func(r io.Reader, rec tracer.Recorder, o Options) error {
			return gotrace.Read(File{Name: o.File, Process: o.Process, R: r}, rec, o.Profile)
		},
	},
	ofProfiles(Format{
		Name: "hatchet", Doc: "profiles of Hatchet: GraphFrame.to_json, and literals as JSON or as Python prints them", Ext: ".hatchet.json",
		Detect: hatchet.Detect,
	}, hatchet.Read),
	ofProfiles(Format{
		Name: "hpctoolkit", Doc: "HPCToolkit databases, each a folder: meta.db, profile.db and trace.db, or the older experiment.xml and metric-db files", Ext: "experiment.xml",
		Detect: hpctoolkit.Detect,
	}, hpctoolkit.Read),
	ofProfiles(Format{
		Name: "instruments", Doc: "tables of samples of Instruments: xctrace export --xpath '/trace-toc/run[1]/data/table[@schema=\"time-profile\"]'", Ext: instruments.Ending,
		Detect: instruments.Detect,
	}, instruments.Read),
	{
		Name: "jaeger", Doc: "spans of Jaeger in JSON, as its user interface downloads them, compressed or not", Ext: ".jaeger.json", Events: true,
		Detect: jaeger.Detect,
		Read: func(r io.Reader, rec tracer.Recorder, o Options) error {
			return jaeger.Read(File{Name: o.File, Process: o.Process, R: r}, rec, o.Profile)
		},
	},
	ofProfiles(Format{
		Name: "jfr", Doc: "recordings of Java's Flight Recorder and of async-profiler: execution samples and allocations", Ext: ".jfr",
		Detect: jfr.Detect,
	}, jfr.Read),
	{
		Name: "ninja", Doc: "the log of Ninja, .ninja_log, with the graph in build.ninja beside it", Ext: ".ninja_log", Events: true,
		Detect: ninja.Detect,
		Read:   func(r io.Reader, rec tracer.Recorder, o Options) error { return ninja.Read(o.File, r, rec) },
		ReadIn: func(folder fs.FS, name string, rec tracer.Recorder, _ Options) error {
			return ninja.ReadIn(folder, name, rec, ninja.Options{})
		},
	},
	{
		Name: "otf2", Doc: "archives of the Open Trace Format 2, each a folder: MPI and OpenMP programs under Score-P, EZTrace or TAU", Ext: otf2.Ending, Events: true,
		Detect: otf2.Detect,
		Read:   func(r io.Reader, _ tracer.Recorder, _ Options) error { return otf2.ReadStream(r) },
		ReadIn: func(folder fs.FS, name string, rec tracer.Recorder, o Options) error {
			return otf2.Read(folder, name, rec, o.Profile)
		},
	},
	{
		Name: "otlp", Doc: "spans of OpenTelemetry, as the file exporter of its collector writes them: JSON or Protocol Buffers, compressed or not", Ext: ".otlp.json", Events: true,
		Detect: otlp.Detect,
		Read: func(r io.Reader, rec tracer.Recorder, o Options) error {
			return otlp.Read(File{Name: o.File, Process: o.Process, R: r}, rec, o.Profile)
		},
	},
	{
		Name: "paje", Doc: "traces in the format of Pajé, compressed or not: SimGrid with SMPI, StarPU with its file tasks.rec, EZTrace, Akypuera", Ext: paje.Ending, Main: paje.Main, Events: true,
		Detect: paje.Detect,
		Read: func(r io.Reader, rec tracer.Recorder, o Options) error {
			return paje.Read(File{Name: o.File, Process: o.Process, R: r}, rec, o.Profile)
		},
		ReadIn: func(folder fs.FS, name string, rec tracer.Recorder, o Options) error {
			return paje.ReadIn(folder, name, rec, o.Profile)
		},
	},
	ofProfiles(Format{
		Name: "perf", Doc: "the output of perf script, perf trace, ftrace and trace-cmd report (Linux): samples with their stacks, scheduling, system calls", Ext: ".perf",
		Detect: perf.Detect,
	}, perf.Read),
	{
		Name: "perfetto", Doc: "traces of Perfetto, Chromium and Android in Protocol Buffers: track events, flows, counters, scheduling, compressed or not", Ext: ".pftrace",
		Detect: perfetto.Detect, Events: true,
		Read: func(r io.Reader, rec tracer.Recorder, o Options) error {
			return perfetto.Read(File{Name: o.File, Process: o.Process, R: r}, rec, o.Profile)
		},
	},
	ofProfiles(Format{
		Name: "pprof", Doc: "pprof profiles of Go, gperftools and others, one for each process, compressed or not", Ext: ".pb.gz",
		Detect: pprof.Detect,
		Write:  pprof.Write, Holds: ofSamples, Omits: profile.Times | profile.Instructions | profile.Fractions | profile.Sources,
	}, pprof.Read),
	{
		Name: "projections", Doc: "logs of Charm++ for Projections: NAME.sts with NAME.P.log for each PE, compressed or not", Ext: projections.Ending, Events: true,
		Detect: projections.Detect,
		Read:   func(r io.Reader, _ tracer.Recorder, _ Options) error { return projections.ReadStream(r) },
		ReadIn: func(folder fs.FS, name string, rec tracer.Recorder, o Options) error {
			return projections.ReadIn(folder, name, rec, o.Profile)
		},
	},
	ofProfiles(Format{
		Name: "pstats", Doc: "profiles of Python's modules cProfile and profile: python3 -m cProfile -o FILE", Ext: ".pstats",
		Detect: pstats.Detect,
	}, pstats.Read),
	ofProfiles(Format{
		Name: "speedscope", Doc: "speedscope files: stacks with weights, or frames that open and close", Ext: ".speedscope.json",
		Detect: speedscope.Detect, Write: speedscope.Write, Holds: speedscope.Kinds | tracer.Kinds(tracer.Init),
		Omits: profile.Neighbours | profile.Lines | profile.Instructions | profile.Sources | profile.Labels,
	}, speedscope.Read),
	ofProfiles(Format{
		Name: "stackprof", Doc: "profiles of stackprof (Ruby), as JSON or as its out: writes them", Ext: ".stackprof.json",
		Detect: stackprof.Detect,
	}, stackprof.Read),
	{
		Name: "table", Doc: "tables of runs as CSV, such as those of whorl sweep: a line of names, then a row for each run", Ext: ".csv",
		Detect: table.Detect,
		Read:   func(r io.Reader, rec tracer.Recorder, o Options) error { return table.Read(r, rec, o.File) },
	},
	ofProfiles(Format{
		Name: "tau", Doc: "profiles of TAU, each a folder: profile.NODE.CONTEXT.THREAD for each thread", Ext: tau.Ending,
		Detect: tau.Detect,
	}, tau.Read),
	{
		Name: "vista", Doc: "reductions of VISTA, the first kaleidoscope: time clause# pe index ppe pindex", Ext: ".vista",
		Detect: vista.Detect,
		Read:   func(r io.Reader, rec tracer.Recorder, o Options) error { return vista.Read(r, rec, o.Clauses) },
		Write:  vista.Write, Holds: tracer.Kinds(tracer.Reduce),
		Numbered: true,
	},
	{
		Name: "zipkin", Doc: "spans of Zipkin, version 2, in JSON, compressed or not", Ext: ".zipkin.json", Events: true,
		Detect: zipkin.Detect,
		Read: func(r io.Reader, rec tracer.Recorder, o Options) error {
			return zipkin.Read(File{Name: o.File, Process: o.Process, R: r}, rec, o.Profile)
		},
	},
}

// ofSamples are the kinds of events that formats of profiles hold. Init stands for its processor.
var ofSamples = tracer.Kinds(tracer.Sample, tracer.Init)

// ofProfiles completes a format whose files are profiles of processes with its reader.
func ofProfiles(f Format, read func([]File, tracer.Recorder, profile.Options) error) Format {
	f.Profile = true
	f.Read = func(r io.Reader, rec tracer.Recorder, o Options) error {
		return read([]File{{Name: o.File, Process: o.Process, R: r}}, rec, o.Profile)
	}
	f.ReadAll = func(files []File, rec tracer.Recorder, o Options) error { return read(files, rec, o.Profile) }
	return f
}
