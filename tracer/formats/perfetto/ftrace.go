package perfetto

import (
	"bytes"
	"strconv"

	"whorl/internal/protobuf"
	"whorl/tracer/formats/tracks"
)

// Fields of FtraceEvent.
const (
	ftracePrint     = 3
	ftraceSwitch    = 4
	ftraceWakeup    = 17
	ftraceWaking    = 20
	ftraceWakeupNew = 114
	ftraceNewTask   = 235
	ftraceRename    = 236
)

// cpu returns the track of a CPU, 0 for an invalid number.
func (r *reader) cpu(n uint64) tracks.ID {
	if n >= mostCPUs {
		r.out.Dropped.Add("records of CPUs with strange numbers", 1)
		return 0
	}
	id, ok := r.cpus[n]
	if !ok {
		id = r.out.Track(tracks.CPU, 0, strconv.FormatUint(n, 10))
		r.cpus[n] = id
	}
	return id
}

// known returns the track of a thread of the kernel's records, 0 for the idle thread.
func (r *reader) known(tid uint64, name []byte) tracks.ID {
	if tid == 0 || tid > 1<<31 {
		return 0
	}
	id := r.thread(thread{0, int64(tid)})
	if len(name) > 0 && id != 0 && !r.out.Named(id) {
		r.out.NameTrack(id, string(name))
	}
	return id
}

// ftrace reads a bundle of records of the kernel on a CPU.
func (r *reader) ftrace(b []byte) {
	cpu := uint64(0)
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case 1: // cpu
			cpu = m.Value
		case 3: // lost_events
			if m.Value != 0 {
				r.out.Dropped.Once("records that the kernel lost")
			}
		}
	}
	r.damaged(&m)
	on := r.cpu(cpu)
	m = protobuf.Message{Rest: b}
	for on != 0 && m.Next() {
		switch m.Number {
		case 2: // event
			r.kernel(on, m.Bytes)
		case 4: // compact_sched
			r.compact(on, m.Bytes)
		}
	}
}

// kernel reads a record of the kernel.
func (r *reader) kernel(cpu tracks.ID, b []byte) {
	var at int64
	var current uint64
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case 1: // timestamp
			at = int64(m.Value)
		case 2: // pid
			current = m.Value
		}
	}
	r.damaged(&m)
	m = protobuf.Message{Rest: b}
	for m.Next() {
		if !m.Packed {
			continue
		}
		f := fields(m.Bytes)
		switch m.Number {
		case ftraceSwitch:
			r.out.Switch(cpu, at, r.known(f.value[2], f.text[1]), tracks.Off{State: state(f.value[4])}, r.known(f.value[6], f.text[5]))
		case ftraceWakeup, ftraceWaking:
			if to := r.known(f.value[2], f.text[1]); to != 0 {
				r.out.Waking(cpu, at, tracks.Cause{By: r.known(current, nil), Late: m.Number == ftraceWakeup}, to)
			}
		case ftraceWakeupNew:
			if to := r.known(f.value[2], f.text[1]); to != 0 {
				r.out.Create(cpu, at, tracks.Cause{By: r.known(current, nil)}, to)
			}
		case ftraceNewTask:
			if to := r.known(f.value[1], f.text[2]); to != 0 {
				r.out.Create(cpu, at, tracks.Cause{By: r.known(current, nil)}, to)
			}
		case ftraceRename:
			if to := r.known(f.value[1], nil); to != 0 {
				r.out.NameTrack(to, string(f.text[3]))
			}
		case ftracePrint:
			r.print(r.known(current, nil), at, f.text[2])
		default:
			r.out.Dropped.Add("records of the kernel of other kinds", 1)
		}
	}
}

// state returns why a thread lost its CPU. Bits above those of the kernel's states mean that it was preempted.
func state(n uint64) tracks.State { return tracks.State(n & 0xff) }

// few holds the first fields of a small message.
type few struct {
	value [8]uint64
	text  [8][]byte
}

func fields(b []byte) (f few) {
	m := protobuf.Message{Rest: b}
	for m.Next() {
		if m.Number < len(f.value) {
			f.value[m.Number], f.text[m.Number] = m.Value, m.Bytes
		}
	}
	return f
}

// print reads a line that a program has written into the kernel's trace: B|process|name, E|process, C|process|name|value.
func (r *reader) print(t tracks.ID, at int64, line []byte) {
	parts := bytes.SplitN(bytes.TrimRight(line, "\n\x00"), []byte("|"), 4)
	if t == 0 || len(parts[0]) != 1 {
		r.out.Dropped.Add("lines in the trace of the kernel", 1)
		return
	}
	switch kind := parts[0][0]; {
	case kind == 'B' && len(parts) > 2:
		r.out.Begin(t, at, r.out.Text(0, r.out.String(bytes.Join(parts[2:], []byte("|")))), tracks.NoClock, 0)
	case kind == 'E':
		r.out.End(t, at, tracks.NoClock, false)
	case kind == 'C' && len(parts) == 4:
		pid, _ := strconv.ParseInt(string(parts[1]), 10, 32)
		v, err := strconv.ParseFloat(string(parts[3]), 64)
		if err == nil {
			r.out.Counter(r.group(r.process(pid)), at, r.out.Text(0, r.out.String(parts[2])), v)
			return
		}
		fallthrough
	default:
		r.out.Dropped.Add("lines in the trace of the kernel", 1)
	}
}

// Columns of CompactSched.
const (
	switchTime    = 1
	switchState   = 2
	switchNext    = 3 // thread
	compactNames  = 5
	switchName    = 6
	wakingTime    = 7
	wakingThread  = 8
	wakingName    = 11
	compactFields = 13
)

// compact reads switches and wake-ups in columns.
func (r *reader) compact(cpu tracks.ID, b []byte) {
	var columns [compactFields][]uint64
	var names [][]byte
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch {
		case m.Number == compactNames && m.Packed:
			names = append(names, m.Bytes)
		case m.Number < len(columns):
			columns[m.Number] = m.Numbers(columns[m.Number])
		}
	}
	if m.Bad {
		r.out.Dropped.Add("bundles of switches with damage", 1)
	}
	name := func(list []uint64, i int) []byte {
		if i < len(list) && list[i] < uint64(len(names)) {
			return names[list[i]]
		}
		return nil
	}
	var at uint64
	previous, first := tracks.ID(0), true
	for i := range min(len(columns[switchTime]), len(columns[switchState]), len(columns[switchNext])) {
		at += columns[switchTime][i]
		next := r.known(columns[switchNext][i], name(columns[switchName], i))
		if first {
			previous, first = tracks.Current, false
		}
		r.out.Switch(cpu, int64(at), previous, tracks.Off{State: state(columns[switchState][i])}, next)
		previous = next
	}
	at = 0
	for i := range min(len(columns[wakingTime]), len(columns[wakingThread])) {
		at += columns[wakingTime][i]
		if to := r.known(columns[wakingThread][i], name(columns[wakingName], i)); to != 0 {
			r.out.Waking(cpu, int64(at), tracks.Cause{By: tracks.Current}, to)
		}
	}
}
