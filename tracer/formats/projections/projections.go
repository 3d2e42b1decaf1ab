// Package projections reads the logs that Charm++ writes for its tool Projections (programs linked with -tracemode projections), and those that other
// runtime systems write in this form. docs/events.md has the meaning of each record in the trace.
//
// # Files
//
// NAME.sts has the names of the chares, entry methods and user events of a program. NAME.P.log, or NAME.P.log.gz, has the records of PE P: a line for
// each, with its type, its time in microseconds and its other fields. How many fields a line has depends on its type, on the version, on the
// dimensions of the array of chares that it is about, and on the hardware counters that were recorded. Fields that a line lacks are 0.
//
// # Two passes
//
// A message is created by one record and executed by others. A creation does not name the PEs of its executions, but an execution names its creation:
// the PE, and the number of the creation there. The first pass therefore goes over all logs to find the executions of each creation, and the second
// one records the events. It reads one log after the other, since the streams of a trace are independent of each other.
package projections

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/clocks"
	"whorl/tracer/formats/gzipped"
	"whorl/tracer/formats/profile"
)

// Ending is the ending of the names of the files that describe a program.
const Ending = ".sts"

// header is the beginning of each log.
const header = "PROJECTIONS-RECORD"

// Detect reports whether a file begins as a log does, compressed or not, or as the description of a program.
func Detect(head []byte) bool {
	if gzipped.Is(head) {
		return bytes.HasPrefix(gzipped.Head(head), []byte(header))
	}
	if bytes.HasPrefix(head, []byte(header)) {
		return true
	}
	first, rest, _ := bytes.Cut(head, []byte("\n"))
	if key, _, _ := bytes.Cut(first, []byte(" ")); string(key) != "PROJECTIONS_ID" && string(key) != "VERSION" {
		return false
	}
	return bytes.Contains(rest, []byte("\nPROCESSORS ")) && bytes.Contains(rest, []byte("\nTOTAL_CHARES "))
}

// ReadStream returns an error: one file alone is no trace.
func ReadStream(io.Reader) error {
	return errors.New("a trace of Projections is several files, NAME" + Ending + " and a log for each PE: give the path of one of them, or that of the folder")
}

// Bounds of a trace.
const (
	longestLine  = 1 << 16
	mostSymbols  = 128 << 20 // bytes of the description
	mostNames    = 1 << 20   // names of each kind
	mostCounters = 64
	mostIndices  = 8
	mostEntered  = 1 << 12 // executions within each other, and regions
	mostRegions  = 1 << 16 // in one execution
	mostTime     = math.MaxInt64 / 4000
	mostNotes    = 1 << 12 // different texts
	longestNote  = 200
	mostLooked   = 16 // executions of a creation that are looked through for an earlier part
	microsecond  = 1000
	thousandths  = 1e3
	neverIdle    = -1
	threadEntry  = "dummy_thread_ep" // the entry method of threads that go on; its records name no message
)

// A log is the file of a PE.
type log struct {
	pe          int32
	nth         int // of the logs
	name        string
	seen        bool  // it has records
	first, last int64 // times in µs
	// begins are the executions in the order of their beginnings, as numbers of tasks.
	begins []uint32
}

// A reader reads the files of a program.
type reader struct {
	folder  fs.FS
	base    string
	symbols *symbols
	logs    []*log
	w       *profile.Writer
	codes   codes
	pairs   pairs

	methods   map[int32]method
	regions   map[int32]uint32 // user events
	functions map[int32]uint32
	stats     map[int32]uint32
	marks     map[int32]uint32 // user events without a length
	notes     map[noteKey]uint32
	twice     map[entry]bool // names of several entry methods
	counters  []uint32       // metrics

	clocks   []*clocks.Clock // by PE, nil for those of the first one
	origin   int64           // time of the first record in ns
	messages uint64          // the last one without an execution
	lost     lost
	unknown  map[int64]int64 // records by type
}

// lost counts the parts of the logs that cannot be shown.
type lost struct{ unbegun, unended, unexecuted, early, fell, bad, deep, crowded, cut int64 }

// codes are entries of the dictionary.
type codes struct {
	forks, waiting, region, cpu, memory, supplied    uint32 // metrics
	message, suspended, outside, inferred, noWork    uint32 // reasons
	runtime, packing, unpacking, interrupt, untraced uint32
	startup                                          uint32 // function
	single, broadcast, multicast, begins, ends       uint32
}

// A method is an entry method.
type method struct {
	code    uint32
	context uint32 // of the writer
	thread  bool   // it runs threads that go on
	indices int    // of the elements of its chare
}

// prepare reads the names of a program and finds its logs. name is the name of one of its files.
func prepare(folder fs.FS, name string, rec tracer.Recorder, o profile.Options) (*reader, error) {
	r := &reader{
		folder: folder, base: baseOf(name), w: profile.NewWriter(rec, o), methods: map[int32]method{}, regions: map[int32]uint32{},
		functions: map[int32]uint32{}, stats: map[int32]uint32{}, marks: map[int32]uint32{}, notes: map[noteKey]uint32{}, unknown: map[int64]int64{},
	}
	var err error
	if r.symbols, err = readSymbols(folder, r.base+Ending); errors.Is(err, fs.ErrNotExist) {
		r.w.Dropped.Once(fmt.Sprintf("the names of entry methods: there is no %s in the folder", path.Base(r.base)+Ending))
		r.symbols = &symbols{version: newest}
	} else if err != nil {
		return nil, &profile.FileError{Name: r.base + Ending, Err: err}
	}
	if n := r.symbols.cut; n > 0 {
		r.w.Dropped.Once(fmt.Sprintf("names after line %d of %s: it has no line END", n, path.Base(r.base)+Ending))
	}
	if err := r.find(); err != nil {
		return nil, err
	}
	r.twice = r.symbols.overloaded()
	r.enter()
	return r, nil
}

// baseOf returns the part that the names of all files of a program begin with.
func baseOf(name string) string {
	if base, ok := strings.CutSuffix(name, Ending); ok {
		return base
	}
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".log")
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		if _, err := strconv.ParseUint(name[i+1:], 10, 31); err == nil {
			return name[:i]
		}
	}
	return name
}

// find lists the logs.
func (r *reader) find() error {
	all, err := fs.ReadDir(r.folder, ".")
	if err != nil {
		return err
	}
	byPE := map[int32]string{}
	for _, e := range all {
		rest, ok := strings.CutPrefix(e.Name(), r.base+".")
		number, ending, _ := strings.Cut(rest, ".")
		pe, err := strconv.ParseUint(number, 10, 31)
		if !ok || err != nil || strconv.FormatUint(pe, 10) != number || ending != "log" && ending != "log.gz" {
			continue
		}
		if pe >= profile.MostProcessors {
			r.w.Dropped.Add("PEs beyond the largest machine", 1)
			continue
		}
		if byPE[int32(pe)] == "" || ending == "log" {
			byPE[int32(pe)] = e.Name()
		}
	}
	if len(byPE) == 0 { // an old program on one PE
		if info, err := fs.Stat(r.folder, r.base+".log"); err == nil && info.Mode().IsRegular() {
			byPE[0] = r.base + ".log"
		}
	}
	for pe, name := range byPE {
		r.logs = append(r.logs, &log{pe: pe, name: name})
	}
	if len(r.logs) == 0 {
		return fmt.Errorf("there is no log beside %s: expected %s.0.log or %s.0.log.gz", r.base+Ending, r.base, r.base)
	}
	slices.SortFunc(r.logs, func(a, b *log) int { return cmp.Compare(a.pe, b.pe) })
	for i, l := range r.logs {
		l.nth = i
	}
	return nil
}

// enter enters names in the dictionary, and the PEs in the metadata.
func (r *reader) enter() {
	dict := r.w.Rec.Dict()
	named := func(t tracer.CodeType) func(string) uint32 {
		return func(name string) uint32 { return dict.Add(tracer.Code{Type: t, Name: name}) }
	}
	because, class, mark := named(tracer.Reason), named(tracer.MessageClass), named(tracer.Name)
	r.codes = codes{
		forks: r.w.Metric("forks", "forks"), waiting: r.w.Metric("waiting", "ns"), region: r.w.Metric(tracer.RegionTime, "ns"), cpu: r.w.Metric("cpu", "ns"),
		memory: r.w.Metric("memory", "bytes"), supplied: r.w.Metric("user supplied", ""),
		message: because(tracer.ReasonMessage), suspended: because("suspended"), outside: because(tracer.ReasonOutside), inferred: because(tracer.ReasonInferred), noWork: because(tracer.ReasonNoWork),
		runtime: because("runtime system"), packing: because("packing"), unpacking: because("unpacking"), interrupt: because("interrupt"),
		untraced: because("not traced"), startup: dict.Add(tracer.Code{Type: tracer.Function, Name: "startup"}), single: class("message"), broadcast: class("broadcast"), multicast: class("multicast"),
		begins: mark("tracing begins"), ends: mark("tracing ends"),
	}
	s := r.symbols
	for i := range min(s.counters, mostCounters) {
		r.counters = append(r.counters, r.w.Metric(cmp.Or(s.counterNames[int32(i)], fmt.Sprintf("counter %d", i)), ""))
	}
	m := &r.w.Meta
	m.Substrate, m.Mode, m.Clock, m.Machine = "projections", tracer.Live, tracer.Aligned, s.machine
	m.Program = strings.TrimSuffix(r.base, ".prj")
	last := int(r.logs[len(r.logs)-1].pe) + 1
	m.PEs = max(min(s.processors, profile.MostProcessors), last)
	r.w.Dropped.Add("PEs without a log", int64(m.PEs-len(r.logs)))
	for pe := range min(last, m.PEs) {
		n, ok := s.node(pe)
		if !ok {
			break
		}
		p := tracer.PE{Process: fmt.Sprintf("node %d", n), Thread: fmt.Sprintf("PE %d", pe)}
		if pe >= s.nodeSize*s.nodes {
			p.Thread = "communication"
		}
		m.PEInfo = append(m.PEInfo, p)
	}
}

// finish records the metadata.
func (r *reader) finish() {
	d := &r.w.Dropped
	l := &r.lost
	d.Add("ends of executions without a beginning", l.unbegun)
	d.Add("executions without an end", l.unended)
	d.Add("executions before the creation of their messages, by clocks that differ", l.early)
	d.Add("times before the last one", l.fell)
	d.Add("lines of an unknown form", l.bad)
	d.Add("executions or regions deeper than the limit", l.deep)
	d.Add("regions beyond the first 65,536 of an execution", l.crowded)
	d.Add("logs without an end", l.cut)
	types := make([]int64, 0, len(r.unknown))
	for t := range r.unknown {
		types = append(types, t)
	}
	slices.Sort(types)
	for _, t := range types {
		d.Add("records of "+typeName(t), r.unknown[t])
	}
	m, s := &r.w.Meta, r.symbols
	extra := func(key, value string) {
		if value != "" {
			m.Extra = append(m.Extra, tracer.KV{Key: key, Value: value})
		}
	}
	if s.charm != "" {
		extra("written by", "Charm++ "+s.charm)
	}
	extra("version of the logs", s.given)
	extra("command", s.command)
	extra("host", s.host)
	extra("recorded", s.recorded)
	if l.unexecuted > 0 { // the runtime system does not trace all that it executes
		extra("messages without an execution", figures.Count(l.unexecuted))
	}
	if r.origin > 0 {
		extra("time 0", figures.Duration(r.origin)+" after the start of the program")
	}
	r.w.Finish()
}
