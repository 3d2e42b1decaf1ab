// Package otf2 reads archives of the Open Trace Format 2, as Score-P, EZTrace and TAU write them. docs/events.md has the meaning of each record in
// the trace.
//
// # Archives
//
// An archive is a folder. The anchor file NAME.otf2 describes it, NAME.def has the global definitions, and the folder NAME has two files for each
// location: N.def, with the tables that turn its own identifiers into global ones and the offsets of its clock, and N.evt, with its events in
// chunks of a fixed length.
//
// # Order
//
// The reader goes through the events of all locations in the order of their times, with a window of each file in memory, because messages,
// collective operations, teams and locks concern several locations. Each location has a stream of its own in the trace.
//
// # Parts
//
// The time of a location between two events that change its calling context, such as Enter and Leave, is a part. The reader keeps the events of
// a part until it ends: only then is its length known, and whether the location waited in it.
package otf2

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Ending is the ending of the names of anchor files.
const Ending = ".otf2"

// prepare returns a reader of an archive whose definitions have been read.
func prepare(folder fs.FS, name string, rec tracer.Recorder, o profile.Options) (*reader, error) {
	a, err := readAnchor(folder, name)
	if err != nil {
		return nil, err
	}
	base := strings.TrimSuffix(name, path.Ext(name))
	d, err := readDefinitions(folder, base+".def", a.definitions)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the archive has no file %s.def with its definitions", base)
	}
	if err != nil {
		return nil, err
	}
	r := &reader{
		folder: folder, base: base, anchor: a, d: d, w: profile.NewWriter(rec, o), rec: rec, dict: rec.Dict(),
		places: map[uint64]*location{}, firstPE: map[uint32]int32{}, regions: map[uint32]*regionInfo{}, comms: map[uint32]*communicator{}, flights: map[flight]*queue{},
		gatherings: map[gathering]*meeting{}, metrics: map[uint32][]metric{},
		locks: map[lockKey]release{}, threads: map[threadKey]*birth{}, teams: map[teamKey]*team{}, tasks: map[taskKey]*task{}, empty: map[uint32][]*team{}, unborn: map[uint32][]*birth{},
	}
	r.w.Meta = tracer.Meta{Substrate: "otf2", Mode: tracer.Live}
	r.codes = r.enter()
	r.locate()
	return r, nil
}

// ReadStream returns an error: the anchor file alone is no trace.
func ReadStream(io.Reader) error {
	return errors.New("an OTF2 archive is a folder: give the path of its anchor file, or that of the folder")
}

// A reader reads an archive.
type reader struct {
	folder fs.FS
	base   string
	anchor *anchor
	d      *definitions
	w      *profile.Writer
	rec    tracer.Recorder
	dict   *tracer.Dict
	codes  codes

	locations []*location // with PEs, by PE, then the others
	places    map[uint64]*location
	firstPE   map[uint32]int32 // by group of locations
	heap      []*location
	shifted   bool  // a location has offsets of its clock
	aligned   bool  // clocks were shifted by the times of messages
	lone      int64 // locations whose clocks could not be compared with others
	early     int64 // messages that were received before they were sent
	lastTask  uint64
	messages  uint64 // the last message

	regions    map[uint32]*regionInfo
	comms      map[uint32]*communicator
	flights    map[flight]*queue
	gatherings map[gathering]*meeting
	metrics    map[uint32][]metric
	locks      map[lockKey]release
	threads    map[threadKey]*birth
	teams      map[teamKey]*team
	tasks      map[taskKey]*task
	empty      map[uint32][]*team     // teams that may have no members yet, by group of locations
	unborn     map[uint32][]*birth    // threads that a call creates, by group of locations
	skipped    [newestEvent + 1]int64 // records by type
	calls      [1]uint32
}

// codes are entries of the dictionary.
type codes struct {
	time, waiting, forks, files               uint32 // metrics
	message, lock, tracing, preempted, noWork uint32 // reasons
	collective, oneSided                      uint32 // classes of messages
}

func (r *reader) enter() codes {
	return codes{
		time: r.w.Metric(tracer.RegionTime, "ns"), waiting: r.w.Metric("waiting", "ns"), forks: r.w.Metric("forks", "forks"),
		files:   r.w.Metric("bytes of files", "bytes"),
		message: r.w.Reason(tracer.ReasonMessage), lock: r.w.Reason("lock"), tracing: r.w.Reason(tracer.ReasonTracing), preempted: r.w.Reason(tracer.ReasonPreempted), noWork: r.w.Reason(tracer.ReasonNoWork),
		collective: r.w.MessageClass(tracer.CollectiveClass), oneSided: r.w.MessageClass("one-sided"),
	}
}

// Memory for the windows of all locations together, the shortest and the longest window, and the number of files that are kept open.
const (
	windows  = 64 << 20
	narrow   = 4 << 10
	wide     = 256 << 10
	mostOpen = 256
)

// locate makes the locations and reads their local definitions.
func (r *reader) locate() {
	all := slices.Clone(r.d.locations)
	slices.SortStableFunc(all, func(a, b place) int { // locations of metrics at the end, threads of a process side by side
		if metrics := a.kind == locationMetric; metrics != (b.kind == locationMetric) {
			if metrics {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.group, b.group)
	})
	width := min(max(windows/max(len(all), 1), narrow), wide)
	for _, p := range all {
		if r.places[p.id] != nil {
			r.w.Dropped.Add("locations with the number of another one", 1)
			continue
		}
		l := &location{place: p, pe: tracer.None}
		l.window = window{fsys: r.folder, name: r.file(p.id, ".evt"), chunk: r.anchor.chunk, width: width, keep: len(all) <= mostOpen}
		host := r.d.host(p.group)
		if p.kind == locationMetric {
			l.pe = r.peOf(p.group)
		}
		if l.pe == tracer.None {
			info := tracer.PE{Host: host, Process: r.d.name(r.d.groups[p.group].name), Thread: r.d.name(p.name)}
			pe, err := r.w.Processor(info)
			if err != nil {
				r.w.Dropped.Add("locations beyond the largest machine", 1)
				continue
			}
			l.pe = pe
			if p.kind != locationMetric && r.peOf(p.group) == tracer.None {
				r.firstPE[p.group] = pe
			}
		}
		r.places[p.id] = l
		r.locations = append(r.locations, l)
		own := readLocal(r.folder, r.file(p.id, ".def"), r.anchor.definitions)
		own.finish()
		r.w.Dropped.Add("local definitions of unknown types", own.unknown)
		r.w.Dropped.Add("bytes of damaged local definitions", own.damaged)
		if own.cut {
			r.w.Dropped.Add("files of local definitions without an end", 1)
		}
		l.maps = own.maps
		l.timer = timer{shifts: own.shifts, origin: r.d.offset, ticks: r.d.resolution}
		r.shifted = r.shifted || len(own.shifts) > 0
	}
	r.w.Meta.Clock = tracer.Aligned
	mutexes := map[uint32]bool{}
	for id, name := range r.d.attributes {
		if r.d.name(name) == "mutex" {
			mutexes[id] = true
		}
	}
	for _, l := range r.locations {
		l.mutexes = mutexes
		l.s = r.rec.Stream(tracer.StreamInfo{Name: r.d.name(l.place.name)})
	}
}

// peOf returns the first PE of a group, tracer.None if it has none.
func (r *reader) peOf(group uint32) int32 {
	if pe, ok := r.firstPE[group]; ok {
		return pe
	}
	return tracer.None
}

// file returns the name of a file of a location.
func (r *reader) file(id uint64, ending string) string {
	return r.base + "/" + strconv.FormatUint(id, 10) + ending
}

// finish records the metadata.
func (r *reader) finish() {
	for _, l := range r.locations {
		l.s.Sync()
		r.w.Dropped.Add("times before the last one", l.fell)
		r.w.Dropped.Add("attributes of records", l.attributes)
		r.w.Dropped.Add("ends of regions without a beginning", l.unbegun)
		r.w.Dropped.Add("regions left with the one around them", l.crossed)
		r.w.Dropped.Add("regions deeper than the limit", l.deep)
	}
	r.unmatched()
	r.w.Dropped.Add("messages received before their sending, by clocks that differ", r.early)
	for kind, n := range r.skipped {
		if n > 0 {
			r.w.Dropped.Add("records of type "+recordName(kind), n)
		}
	}
	r.w.Dropped.Add("definitions of unknown types", r.d.unknown)
	r.w.Dropped.Add("bytes of damaged definitions", r.d.damaged)
	if r.d.cut {
		r.w.Dropped.Once("the end of the definitions: the file is cut")
	}
	a := r.anchor
	if a.cut {
		r.w.Dropped.Once("the end of the anchor file: the file is cut")
	}
	if a.format > newestTrace {
		r.w.Dropped.Once("what archives of newer versions of OTF2 have beyond those of version 3")
	}
	r.w.Dropped.Add("locations whose clock no message compares with the first", r.lone)
	m := &r.w.Meta
	m.Machine = cmp.Or(m.Machine, a.machine)
	if m.Program = cmp.Or(m.Program, r.d.program()); m.Program == "" && r.base != "traces" { // the usual name
		m.Program = r.base
	}
	r.w.Extra("written by", a.creator)
	if r.aligned {
		r.w.Extra("clocks", "the archive has no offsets of its clocks; messages between processes gave them")
	}
	r.w.Extra("description", a.description)
	for i, p := range a.properties {
		if i < mostProperties {
			r.w.Extra(p[0], p[1])
		}
	}
	if ns := r.d.realtime; ns != 1<<64-1 && ns < farthest {
		r.w.Recorded(int64(ns))
	}
	r.w.Finish()
}

// mostProperties bounds the properties of an archive that the metadata have.
const mostProperties = 100
