package perfetto

import (
	"strconv"
	"strings"

	"whorl/internal/protobuf"
	"whorl/tracer/formats/tracks"
)

// A thread is a thread by its numbers. The process is 0 where it is not known.
type thread struct{ process, number int64 }

// process returns the number of a process for package tracks.
func (r *reader) process(pid int64) uint32 {
	if pid == 0 {
		return 0
	}
	p, ok := r.processes[pid]
	if !ok {
		p = r.out.Process(strconv.FormatInt(pid, 10))
		r.processes[pid] = p
	}
	return p
}

// thread returns the track of a thread. One that the kernel named without its process is the same thread.
func (r *reader) thread(t thread) tracks.ID {
	if id, ok := r.threads[t]; ok {
		return id
	}
	id, known := r.byNumber[t.number]
	switch {
	case known && t.process == 0:
		return id
	case known && r.threads[thread{0, t.number}] == id:
		r.out.MoveTrack(id, r.process(t.process))
		delete(r.threads, thread{0, t.number})
	default:
		id = r.out.Track(tracks.Thread, r.process(t.process), strconv.FormatInt(t.number, 10))
		if !known {
			r.byNumber[t.number] = id
		}
	}
	r.threads[t] = id
	return id
}

// described is a track that has a number of its own.
type described struct {
	id        tracks.ID // of slices; 0 before the first
	parent    uint64
	name      uint32
	process   int64
	thread    thread
	known     bool // by a descriptor
	isThread  bool
	isProcess bool
	counter   bool
	time      bool  // the counter is the processor time of a thread
	sums      bool  // values are differences
	factor    int64 // of values
}

// track returns the description of a track, an empty one for a new number.
func (r *reader) track(uuid uint64) *described {
	d := r.described[uuid]
	if d == nil {
		d = &described{factor: 1}
		r.described[uuid] = d
		r.order = append(r.order, uuid)
	}
	return d
}

// slices returns the track of the slices of a track. Before its descriptor it may become that of a thread.
func (r *reader) slices(uuid uint64) tracks.ID {
	d := r.track(uuid)
	if d.id == 0 {
		d.id = r.out.Track(tracks.Async, 0, "")
	}
	return d.id
}

// descriptor reads the description of a track.
func (r *reader) descriptor(b []byte) {
	var uuid uint64
	m := protobuf.Message{Rest: b}
	for m.Next() {
		if m.Number == 1 { // uuid
			uuid = m.Value
		}
	}
	r.damaged(&m)
	d := r.track(uuid)
	d.known = true
	m = protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case 2, 10, 13: // name, static_name, atrace_name
			d.name = r.out.String(m.Bytes)
		case 3: // process
			d.isProcess, d.process = true, r.processDescriptor(m.Bytes)
		case 4: // thread
			t := r.threadDescriptor(nil, m.Bytes)
			id := r.thread(t)
			if d.id != 0 && d.id != id {
				r.out.Join(d.id, id)
			}
			d.isThread, d.id, d.thread = true, id, t
		case 5: // parent_uuid
			d.parent = m.Value
		case 8: // counter
			d.counter = true
			in := protobuf.Message{Rest: m.Bytes}
			for in.Next() {
				switch in.Number {
				case 1: // type
					d.time = in.Value == 1
				case 4: // unit_multiplier
					d.factor = int64(min(max(in.Value, 1), mostUnit))
				case 5: // is_incremental
					d.sums = in.Value != 0
				}
			}
			r.damaged(&in)
		}
	}
}

// processDescriptor reads the numbers and names of a process.
func (r *reader) processDescriptor(b []byte) (pid int64) {
	var name string
	place, placed := int64(0), false
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case 1: // pid
			pid = int64(int32(m.Value))
		case 2: // cmdline
			if name == "" {
				name = program(string(m.Bytes))
			}
		case 3: // legacy_sort_index
			place, placed = int64(int32(m.Value)), true
		case 6: // process_name
			if name = string(m.Bytes); strings.HasPrefix(name, "/") { // the name that the system gives it
				name = program(name)
			}
		}
	}
	r.damaged(&m)
	if pid != 0 {
		p := r.process(pid)
		r.out.NameProcess(p, name)
		if placed {
			r.out.SortProcess(p, place)
		}
	}
	return pid
}

// program returns the name of a program without its folder and arguments. Processes of Chromium have one text with all their arguments.
func program(line string) string {
	line, _, _ = strings.Cut(line, "\x00")
	line, _, _ = strings.Cut(line, " -")
	return line[strings.LastIndexByte(line, '/')+1:]
}

// threadDescriptor reads the numbers and the name of a thread, and the times from which a sequence counts.
func (r *reader) threadDescriptor(s *sequence, b []byte) (t thread) {
	var name string
	place, placed := int64(0), false
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case 1: // pid
			t.process = int64(int32(m.Value))
		case 2: // tid
			t.number = int64(int32(m.Value))
		case 3: // legacy_sort_index
			place, placed = int64(int32(m.Value)), true
		case 5: // thread_name
			name = string(m.Bytes)
		case 6: // reference_timestamp_us
			if s != nil {
				s.reference = int64(m.Value) * 1000
			}
		case 7: // reference_thread_time_us
			if s != nil {
				s.processor = int64(m.Value) * 1000
			}
		}
	}
	r.damaged(&m)
	id := r.thread(t)
	if id != 0 {
		r.out.NameTrack(id, name)
		if placed {
			r.out.SortTrack(id, place)
		}
	}
	return t
}

// processTree reads names of processes and threads.
func (r *reader) processTree(b []byte) {
	m := protobuf.Message{Rest: b}
	for m.Next() {
		var pid, tid, group int64
		var name string
		in := protobuf.Message{Rest: m.Bytes}
		for in.Next() {
			switch {
			case m.Number == 1 && in.Number == 1: // Process.pid
				pid = int64(int32(in.Value))
			case m.Number == 1 && in.Number == 3 && name == "": // Process.cmdline
				name = program(string(in.Bytes))
			case m.Number == 2 && in.Number == 1: // Thread.tid
				tid = int64(int32(in.Value))
			case m.Number == 2 && in.Number == 2: // Thread.name
				name = string(in.Bytes)
			case m.Number == 2 && in.Number == 3: // Thread.tgid
				group = int64(int32(in.Value))
			}
		}
		r.damaged(&in)
		switch {
		case m.Number == 1 && pid != 0:
			r.out.NameProcess(r.process(pid), name)
		case m.Number == 2 && tid != 0:
			r.out.NameTrack(r.thread(thread{group, tid}), name)
		}
	}
}

// mostParents bounds the tracks above a track.
const mostParents = 64

// above returns the process of a track, by itself or by the tracks above it.
func (r *reader) above(d *described) int64 {
	for range mostParents {
		switch {
		case d.isThread:
			return d.thread.process
		case d.isProcess:
			return d.process
		}
		next, ok := r.described[d.parent]
		if !ok || next == d {
			break
		}
		d = next
	}
	return 0
}

// settle gives tracks to their processes and adds the counters, now that all descriptors are known.
func (r *reader) settle() {
	for _, uuid := range r.order {
		d := r.described[uuid]
		if d.id != 0 && !d.isThread {
			r.out.MoveTrack(d.id, r.process(r.above(d)))
			r.out.NameTrack(d.id, r.out.Spelled(d.name))
		}
	}
	for _, c := range r.counters {
		d := r.described[c.track]
		name := d.name
		if c.name != 0 {
			name = c.name
		}
		r.out.Counter(r.group(r.process(r.above(d))), c.time, r.out.Text(c.category, name), c.value*float64(d.factor))
	}
}

// group returns the track of the counters of a process.
func (r *reader) group(process uint32) tracks.ID {
	id, ok := r.groups[process]
	if !ok {
		id = r.out.Track(tracks.Group, process, "")
		r.groups[process] = id
	}
	return id
}
