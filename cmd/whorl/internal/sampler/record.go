package sampler

import (
	"bytes"
	"encoding/binary"
)

// Types of records in the ring buffer of the kernel (perf_event_open(2)).
const (
	recordLost   = 2
	recordComm   = 3
	recordFork   = 7
	recordSample = 9
	recordMmap2  = 10
)

// commExec is the flag of a comm record that a program was executed.
const commExec = 1 << 13

// A record is a record of the kernel. Fields that its type lacks are zero.
type record struct {
	kind     uint32
	exec     bool
	pid, tid int32
	cpu      uint32
	time     uint64 // ns

	parent  int32 // fork: the process of the parent
	lost    uint64
	text    string // comm: the name; mmap: the path
	from    uint64 // mmap: the first address
	length  uint64
	offset  uint64 // mmap: in the file
	period  uint64 // ns of processor time
	callers []uint64
}

// trailer is the size of the fields after a record that is not a sample: process and thread, time, CPU.
const trailer = 24

// parse reads a record with its header of 8 bytes. It returns false for a type that is not used here, and for a record that is too short.
func parse(b []byte) (r record, ok bool) {
	n := binary.NativeEndian
	r.kind, r.exec = n.Uint32(b), n.Uint16(b[4:])&commExec != 0
	b = b[8:]
	if r.kind == recordSample {
		return r, r.sample(b)
	}
	if len(b) < trailer {
		return r, false
	}
	after := b[len(b)-trailer:]
	b = b[:len(b)-trailer]
	r.pid, r.tid, r.time, r.cpu = int32(n.Uint32(after)), int32(n.Uint32(after[4:])), n.Uint64(after[8:]), n.Uint32(after[16:])
	switch r.kind {
	case recordLost:
		if len(b) < 16 {
			return r, false
		}
		r.lost = n.Uint64(b[8:])
	case recordComm:
		if len(b) < 8 {
			return r, false
		}
		r.pid, r.tid, r.text = int32(n.Uint32(b)), int32(n.Uint32(b[4:])), untilZero(b[8:])
	case recordFork:
		if len(b) < 16 {
			return r, false
		}
		r.pid, r.parent, r.tid = int32(n.Uint32(b)), int32(n.Uint32(b[4:])), int32(n.Uint32(b[8:]))
	case recordMmap2:
		if len(b) < 64 {
			return r, false
		}
		r.pid, r.tid = int32(n.Uint32(b)), int32(n.Uint32(b[4:]))
		r.from, r.length, r.offset, r.text = n.Uint64(b[8:]), n.Uint64(b[16:]), n.Uint64(b[24:]), untilZero(b[64:])
	default:
		return r, false
	}
	return r, true
}

// sample reads the fields of a sample: address, process and thread, time, CPU, period, stack.
func (r *record) sample(b []byte) bool {
	n := binary.NativeEndian
	if len(b) < 48 {
		return false
	}
	r.pid, r.tid, r.time = int32(n.Uint32(b[8:])), int32(n.Uint32(b[12:])), n.Uint64(b[16:])
	r.cpu, r.period = n.Uint32(b[24:]), n.Uint64(b[32:])
	callers := n.Uint64(b[40:])
	b = b[48:]
	if callers > uint64(len(b)/8) {
		return false
	}
	r.callers = make([]uint64, callers)
	for i := range r.callers {
		r.callers[i] = n.Uint64(b[8*i:])
	}
	return true
}

func untilZero(b []byte) string {
	b, _, _ = bytes.Cut(b, []byte{0})
	return string(b)
}
