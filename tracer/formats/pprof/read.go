// Package pprof reads profiles of pprof: the message Profile of github.com/google/pprof/proto/profile.proto, compressed or not, and the older
// forms of gperftools and Go. Each file is the profile of a process and becomes a processor of the trace. The values of a label of the samples
// may become the processors instead. The trace keeps all labels; samples with equal labels share them.
//
// Damaged tables are read as far as possible. Dangling and duplicate ids are accepted, and the data lost is counted. The pprof library reads
// the older forms.
//
// Several files are unpacked concurrently (see content) and recorded one after the other, so the trace does not depend on the degree of
// concurrency.
package pprof

import (
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"

	"whorl/internal/nearest"
	"whorl/internal/numbering"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// A File is the profile of a process.
type File = profile.File

// Read reads profiles into rec, one stream for each file in order, and does not close rec. Every kind of value becomes a metric, and the value of
// a process in a calling context with the same labels becomes one sample. The samples of the value that the profile is to be shown by come first. Profiles do not record when samples were taken: each profile begins at 0 and has its samples
// at its end. Memory holds one file for each CPU, without its samples if it is long. An error names the file; the files before it have been recorded.
func Read(files []File, rec tracer.Recorder, o profile.Options) error {
	r := reader{
		w: profile.NewWriter(rec, o), rec: rec, labels: map[string]int64{}, made: map[string]*made{},
	}
	r.sums.w, r.sums.dict, r.sums.stacks, r.sums.leaves = r.w, rec.Dict(), newStacks(), o.Leaves
	if o.Processor != "process" && o.Processor != "file" {
		r.sums.label = o.Processor
	}
	r.w.Meta = tracer.Meta{Substrate: "pprof", Clock: tracer.Aligned}
	err := r.files(files)
	if label := r.sums.label; err == nil && label != "" && r.labels[label] == 0 {
		err = r.noLabel()
	}
	if len(files) == 1 && r.began > 0 {
		r.w.Recorded(r.began)
	}
	for _, name := range slices.Sorted(maps.Keys(r.labels)) {
		r.w.Extra("label", name)
	}
	r.w.Dropped.File = ""
	r.w.Finish()
	return err
}

// files reads the files, unpacking some ahead of the one being recorded. It waits for each file in turn, records it in the order of the files, and
// unpacks a later file into the same memory.
func (r *reader) files(files []File) error {
	ahead := min(runtime.GOMAXPROCS(0), len(files))
	spare := make(chan *content, ahead)
	for range ahead {
		spare <- &content{}
	}
	ready := make([]chan error, len(files))
	contents := make([]*content, len(files))
	begin := func(i int) {
		ready[i] = make(chan error, 1)
		contents[i] = <-spare
		go func() { ready[i] <- contents[i].load(&files[i]) }()
	}
	for i := range ahead {
		begin(i)
	}
	var failed error
	for i := range files {
		if ready[i] == nil {
			break // no file is begun after an error
		}
		err := <-ready[i]
		if len(files) > 1 {
			r.w.Dropped.File = files[i].Name
		}
		switch {
		case failed != nil:
		case errors.Is(err, errEmpty) && len(files) > 1: // one of many processes wrote nothing
			err = r.empty(&files[i])
		case err == nil:
			err = r.file(&files[i], contents[i])
		}
		if err != nil && failed == nil {
			failed = &profile.FileError{Name: files[i].Name, Err: err}
		}
		spare <- contents[i]
		contents[i] = nil
		if next := i + ahead; next < len(files) && failed == nil {
			begin(next)
		}
	}
	return failed
}

// A reader records the files one after the other.
type reader struct {
	w      *profile.Writer
	rec    tracer.Recorder
	labels map[string]int64 // number of samples with a label, by its name
	began  int64            // start time of the last file
	sums   sums

	made    map[string]*made // places of all files, by key
	last    []*made          // places of the previous file
	known   numbering.List[profile.Line]
	modules numbering.List[profile.Module]
}

// A made is a place that already has entries in the trace.
type made struct {
	key    string
	number uint32
	frames []uint32
	leaf   bool // the writer knows of samples there
}

func (r *reader) file(f *File, c *content) error {
	t, s := &c.tables, &r.sums
	r.began = t.began
	if c.cut || t.cut {
		r.w.Dropped.Once(f.Name + " is truncated or damaged")
	}
	before := r.w.Sampled
	if r.w.Meta.Program == "" {
		r.w.Meta.Program = programOf(t.modules)
	}
	for _, text := range t.comments {
		r.w.Extra("comment", text)
	}
	order := t.order()
	metrics := make([]uint32, len(t.types))
	for _, i := range order {
		metrics[i] = r.w.Metric(t.types[i].name, t.types[i].unit)
	}
	places := r.places(t)
	s.begin(t)
	if err := c.samples(s.sample); err != nil {
		return err
	}
	for i, p := range places {
		if s.spots[i].leaf && !p.leaf {
			p.leaf = true
			place := t.place(&t.places[i])
			place.Leaf = true
			r.w.Frames(place)
		}
	}
	stream := r.rec.Stream(tracer.StreamInfo{Name: cmp.Or(f.Process, f.Name)})
	pes, err := r.processors(f, stream)
	if err != nil {
		return err
	}
	for _, i := range order {
		for k, at := range s.cells {
			if v := s.values[k*s.kinds+i]; v != 0 {
				r.w.Labelled(stream, max(t.lasted, 0), pes[at.who], at.context, at.labels, metrics[i], v)
			}
		}
	}
	switch {
	case t.samples == 0:
		r.w.Dropped.Once(f.Name + " has no samples")
	case r.w.Sampled == before && len(t.types) > 0:
		r.w.Dropped.Once(f.Name + " has only zero values")
	}
	stream.Sync()
	for key, n := range s.keys {
		r.labels[t.string(key)] += n
	}
	d := &r.w.Dropped
	d.Add("names missing from the string table", t.lostNames-t.lostTypes)
	d.Add("value types without a name", t.lostTypes)
	d.Add("ids missing or duplicate", t.twice)
	d.Add("records truncated or damaged", t.malformed)
	return nil
}

// programOf returns the name of the program among the modules of a profile: the first one that is no library and no part of the kernel, or else the
// first that is a file. The first is that of the program unless the writer left it out.
func programOf(modules []profile.Module) (name string) {
	for k := range modules {
		switch n := modules[k].Name(); {
		case n == "" || strings.HasPrefix(n, "[") || strings.HasPrefix(modules[k].Path, "//anon"):
		case strings.HasSuffix(n, ".so") || strings.Contains(n, ".so.") || strings.HasSuffix(n, ".dylib") || strings.HasSuffix(n, ".ko"):
			name = cmp.Or(name, n)
		default:
			return n
		}
	}
	return name
}

// empty records a processor for a process that wrote an empty file.
func (r *reader) empty(f *File) error {
	r.w.Dropped.Once(f.Name + " is empty")
	stream := r.rec.Stream(tracer.StreamInfo{Name: cmp.Or(f.Process, f.Name)})
	r.sums.who = numbering.List[string]{Keys: []string{""}}
	_, err := r.processors(f, stream)
	stream.Sync()
	return err
}

// processors numbers the processors of a file, in the natural order of the values of the label.
func (r *reader) processors(f *File, stream *tracer.Stream) ([]int32, error) {
	who, label := r.sums.who.Keys, r.sums.label
	order := make([]int, len(who))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return profile.Natural(who[a], who[b]) })
	pes := make([]int32, len(who))
	for _, i := range order {
		p := tracer.PE{Host: f.Host, Process: cmp.Or(f.Process, f.Name)}
		if label != "" {
			p.Thread = cmp.Or(who[i], "no "+label)
		}
		pe, err := r.w.Processor(p)
		if err != nil {
			return nil, err
		}
		pes[i] = pe
		r.w.Begin(stream, pe, 0)
	}
	return pes, nil
}

// places looks up all places of a file. It makes the new ones in the order of their addresses, so that instructions are numbered by address.
func (r *reader) places(t *tables) []*made {
	functions, modules := make([]uint64, len(t.functions)), make([]uint64, len(t.modules))
	for i := range t.functions {
		functions[i] = uint64(r.known.Number(t.functions[i])) + 1
	}
	for i := range t.modules {
		modules[i] = uint64(r.modules.Number(t.modules[i])) + 1
	}
	all := make([]*made, len(t.places))
	var fresh []int
	var key []byte
	for i := range t.places {
		p := &t.places[i]
		key = binary.LittleEndian.AppendUint64(key[:0], p.address)
		m, ok := t.module.position(p.module)
		if p.noModule = !ok && p.module != 0; ok {
			key = binary.AppendUvarint(key, modules[m])
		}
		key = append(key, 0)
		for _, raw := range t.lines[p.from:p.to] {
			f, ok := t.function.position(raw.function)
			if !ok {
				p.noFunction = true
				continue
			}
			key = binary.AppendUvarint(key, functions[f])
			key = binary.AppendUvarint(key, uint64(lineNumber(raw.line)))
			key = binary.AppendUvarint(key, uint64(lineNumber(raw.column)))
		}
		if i < len(r.last) && r.last[i].key == string(key) { // the common case; faster than the map
			all[i] = r.last[i]
		} else if all[i], ok = r.made[string(key)]; !ok {
			all[i] = &made{key: string(key), number: uint32(len(r.made)) + 1}
			r.made[all[i].key] = all[i]
			fresh = append(fresh, i)
		}
	}
	slices.SortStableFunc(fresh, func(a, b int) int {
		x, y := &t.places[a], &t.places[b]
		return cmp.Or(cmp.Compare(x.module, y.module), cmp.Compare(x.address, y.address))
	})
	for _, i := range fresh {
		all[i].frames = r.w.Frames(t.place(&t.places[i]))
	}
	spots := r.sums.spots[:0]
	for i, p := range all {
		s := spot{number: p.number, frames: p.frames}
		if t.places[i].noModule || t.places[i].noFunction {
			s.number = 0
		}
		spots = append(spots, s)
	}
	r.sums.spots, r.last = spots, all
	return all
}

// noLabel returns the error for a label that no sample has. It lists at most 20 of the known labels.
func (r *reader) noLabel() error {
	known := slices.Sorted(maps.Keys(r.labels))
	if near := nearest.Names(r.sums.label, known); len(near) > 0 {
		known = near
	}
	return nearest.Unknown("label", r.sums.label, known[:min(len(known), 20)])
}
