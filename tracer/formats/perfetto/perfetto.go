// Package perfetto reads the traces of Perfetto, of Chromium and of Android: files of the message perfetto.protos.Trace. docs/events.md has the
// meaning of each packet in the trace.
//
// A file is a list of packets, each written by a sequence, which is a writer in a thread. Names are interned by sequence, and times are readings of
// several clocks, which snapshots relate to the clock of the trace. The packets of different sequences are in no order, so package tracks keeps their
// records and sorts them.
//
// The comment at the number of a field is its name in the folder protos/perfetto/trace of Perfetto.
package perfetto

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"whorl/internal/protobuf"
	"whorl/tracer/formats/gzipped"
	"whorl/tracer/formats/tracks"
)

// Fields of TracePacket.
const (
	fieldFtrace      = 1
	fieldProcessTree = 2
	fieldClocks      = 6
	fieldTimestamp   = 8
	fieldSequence    = 10
	fieldTrackEvent  = 11
	fieldInterned    = 12
	fieldFlags       = 13
	fieldCleared     = 41
	fieldDropped     = 42
	fieldProcess     = 43
	fieldThread      = 44
	fieldCompressed  = 50
	fieldClock       = 58
	fieldDefaults    = 59
	fieldDescriptor  = 60
	fieldZstd        = 133
)

// Bits of the flags of a packet.
const (
	clearsState = 1
	needsState  = 2
)

// Bounds of a file.
const (
	mostPacket        = 1 << 28 // bytes
	mostUncompressed  = 1 << 26
	mostSequences     = 1 << 20
	mostCPUs          = 1 << 12
	mostNestedPackets = 1 // compressed packets in compressed packets
)

// kinds has 'b' for the fields of TracePacket that have a length and 'v' for numbers.
var kinds = map[int]byte{
	1: 'b', 2: 'b', 3: 'v', 4: 'b', 5: 'b', 6: 'b', 7: 'b', 8: 'v', 9: 'b', 10: 'v', 11: 'b', 12: 'b', 13: 'v', 33: 'b', 34: 'b', 35: 'b', 36: 'b', 37: 'b',
	38: 'b', 39: 'b', 40: 'b', 41: 'v', 42: 'v', 43: 'b', 44: 'b', 45: 'b', 46: 'b', 50: 'b', 51: 'b', 58: 'v', 59: 'b', 60: 'b', 69: 'b', 79: 'v', 87: 'v',
	89: 'b', 98: 'v',
}

// Detect reports whether a file that begins with head may be a trace of Perfetto, compressed or not.
func Detect(head []byte) bool {
	b := gzipped.Head(head)
	whole := len(b) < 4096 && !gzipped.Is(head)
	sure, good, damaged := false, 0, 0
	for len(b) > 0 && b[0] == 0x0a {
		size, n := binary.Uvarint(b[1:])
		if n <= 0 || size > mostPacket {
			return false
		}
		b = b[1+n:]
		cut := size > uint64(len(b))
		m := protobuf.Message{Rest: b[:min(size, uint64(len(b)))]}
		special, strange := false, false
		for m.Next() {
			kind, known := kinds[m.Number]
			strange = strange || known && (kind == 'b') != m.Packed || m.Number > 2000 || good == 0 && !known
			special = special || m.Number > 2
		}
		if cut {
			return (sure || special && !strange || m.Bad && m.Number == 0 && opens(m.Rest, b)) && !whole
		}
		b = b[size:]
		if !strange && !m.Bad {
			sure = sure || special
			good++
		} else if damaged++; damaged > good { // the first packet has to be whole
			return false
		}
	}
	return sure && (len(b) == 0 || b[0] == 0x0a)
}

// opens reports whether the first packet begins with a long field that is of no other format.
func opens(rest, packet []byte) bool {
	if len(rest) != len(packet) || len(packet) == 0 {
		return false
	}
	key, n := binary.Uvarint(packet)
	return n > 0 && key&7 == 2 && key>>3 > 2 && kinds[int(key>>3)] == 'b'
}

// A reader reads a trace.
type reader struct {
	out        *tracks.Recording
	read       int64 // packets
	skipped    int64 // bytes in which no packet was found
	gap        int64 // the place of the first of these bytes
	sequences  map[uint32]*sequence
	clocks     map[clockKey]*clock
	wall       int64 // ns from the clock of the trace to that of the calendar
	processes  map[int64]uint32
	threads    map[thread]tracks.ID
	byNumber   map[int64]tracks.ID // threads by their number alone
	described  map[uint64]*described
	order      []uint64 // of described
	operations map[uint32]tracks.ID
	groups     map[uint32]tracks.ID // of counters, by process
	cpus       map[uint64]tracks.ID
	counters   []counted
	states     map[tracks.ID]bool // tracks that are in a state
	buf        bytes.Buffer
	id         []byte
	numbers    []uint64
}

// A sequence is the state of a writer.
type sequence struct {
	valid      bool // it has had its state cleared, and has lost no packet since
	names      map[uint64]uint32
	categories map[uint64]uint32
	clock      uint64
	track      uint64 // of events that name none
	hasTrack   bool
	extra      []uint64         // tracks of extra counters
	sums       map[uint64]int64 // of counters with differences
	thread     tracks.ID        // by a thread descriptor
	numbers    thread
	reference  int64 // time in ns of the last event with a difference
	processor  int64
}

// packets reads a list of packets. A packet that cannot be decoded is left out and counted. Where no packet begins, the reading goes on with the next one that
// is found. The list ends where a packet has no end; packets returns where that packet begins.
func (r *reader) packets(from *bufio.Reader, depth int) (at int64, err error) {
	in := &input{Reader: from}
	for {
		at = in.read
		head, size, err := in.frame()
		switch {
		case errors.Is(err, io.EOF):
			return at, nil
		case errors.Is(err, errCut):
			return at, err
		case err != nil && r.read == 0:
			return at, fmt.Errorf("not a trace of Perfetto: %w", err)
		case err != nil:
			if !in.resume() {
				return at, err
			}
			if depth > 0 {
				r.out.Dropped.Add("bundles of compressed packets with damage", 1)
				continue
			}
			if r.skipped == 0 {
				r.gap = at
			}
			r.skipped += in.read - at
			continue
		}
		in.skip(head)
		r.buf.Reset()
		if depth > 0 {
			r.buf = bytes.Buffer{} // the packet around it is still being read
		}
		if _, err := io.CopyN(&r.buf, in.Reader, size); err != nil {
			return at, cut(err)
		}
		in.read += size
		r.read++
		r.packet(r.buf.Bytes(), depth)
	}
}

// cut returns the error of a file that ends where it should not.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errCut
	}
	return err
}

// A header has the fields that determine how the others of a packet are read.
type header struct {
	time, clock, sequence, flags     uint64
	timed, clocked, cleared, dropped bool
}

// headerOf reads the header of a packet. It returns false for a packet with damage.
func headerOf(b []byte) (p header, ok bool) {
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case fieldTimestamp:
			p.time, p.timed = m.Value, true
		case fieldClock:
			p.clock, p.clocked = m.Value, true
		case fieldSequence:
			p.sequence = m.Value
		case fieldFlags:
			p.flags = m.Value
		case fieldCleared:
			p.cleared = m.Value != 0
		case fieldDropped:
			p.dropped = m.Value != 0
		}
	}
	return p, !m.Bad
}

// packet reads a packet.
func (r *reader) packet(b []byte, depth int) {
	p, ok := headerOf(b)
	if !ok {
		r.out.Dropped.Add("packets with damage", 1)
		return
	}
	s := r.sequence(uint32(p.sequence))
	if s == nil {
		return
	}
	if p.dropped {
		s.valid = false
	}
	if p.cleared || p.flags&clearsState != 0 {
		*s = sequence{valid: true, names: map[uint64]uint32{}, categories: map[uint64]uint32{}, sums: map[uint64]int64{}, clock: traceClock, thread: s.thread, numbers: s.numbers}
	}
	if p.flags&needsState != 0 && !s.valid {
		r.out.Dropped.Add("packets without names that are needed", 1)
		return
	}
	m := protobuf.Message{Rest: b}
	for m.Next() { // fields that the rest of the packet needs
		switch m.Number {
		case fieldInterned:
			r.interned(s, m.Bytes)
		case fieldDefaults:
			r.defaults(s, m.Bytes)
		case fieldClocks:
			r.snapshot(uint32(p.sequence), m.Bytes)
		}
	}
	if !p.clocked {
		p.clock = s.clock
	}
	at := int64(0)
	if p.timed {
		at = r.time(uint32(p.sequence), p.clock, p.time)
	}
	r.content(s, b, at, p.timed, depth)
}

// content reads the record of a packet. Its time is at, if it is timed.
func (r *reader) content(s *sequence, b []byte, at int64, timed bool, depth int) {
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case fieldTrackEvent:
			r.trackEvent(s, m.Bytes, at, timed)
		case fieldDescriptor:
			r.descriptor(m.Bytes)
		case fieldFtrace:
			r.ftrace(m.Bytes)
		case fieldProcessTree:
			r.processTree(m.Bytes)
		case fieldProcess:
			r.processDescriptor(m.Bytes)
		case fieldThread:
			s.numbers = r.threadDescriptor(s, m.Bytes)
			s.thread = r.thread(s.numbers)
		case fieldCompressed:
			r.compressed(m.Bytes, depth)
		case fieldZstd:
			r.out.Dropped.Add("packets compressed with zstd", 1)
		case 3, 33, 34, 35, 36, 45, 46, 51, 69, 79, 87, 89, 98, fieldTimestamp, fieldClock, fieldSequence, fieldFlags, fieldCleared, fieldDropped, fieldInterned, fieldDefaults, fieldClocks:
		default:
			r.out.Dropped.Add("packets of other kinds", 1)
		}
	}
}

// damaged counts a part of a packet whose end cannot be decoded. The part before it has been read.
func (r *reader) damaged(m *protobuf.Message) {
	if m.Bad {
		r.out.Dropped.Add("parts of packets with a damaged end", 1)
	}
}

// sequence returns a sequence, nil if there are too many.
func (r *reader) sequence(id uint32) *sequence {
	s := r.sequences[id]
	if s == nil {
		if len(r.sequences) >= mostSequences {
			r.out.Dropped.Add("packets of sequences beyond the limit", 1)
			return nil
		}
		s = &sequence{names: map[uint64]uint32{}, categories: map[uint64]uint32{}, sums: map[uint64]int64{}, clock: traceClock}
		r.sequences[id] = s
	}
	return s
}

// compressed reads packets that are compressed together.
func (r *reader) compressed(b []byte, depth int) {
	z, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil || depth >= mostNestedPackets {
		r.out.Dropped.Add("bundles of compressed packets with damage", 1)
		return
	}
	if _, err := r.packets(bufio.NewReaderSize(io.LimitReader(z, mostUncompressed), ahead), depth+1); err != nil {
		r.out.Dropped.Add("bundles of compressed packets with damage", 1)
	}
}

// interned reads names that later packets of a sequence refer to.
func (r *reader) interned(s *sequence, b []byte) {
	m := protobuf.Message{Rest: b}
	for m.Next() {
		var to map[uint64]uint32
		switch m.Number {
		case 1: // event_categories
			to = s.categories
		case 2: // event_names
			to = s.names
		default:
			continue
		}
		id, name := uint64(0), uint32(0)
		in := protobuf.Message{Rest: m.Bytes}
		for in.Next() {
			switch in.Number {
			case 1: // iid
				id = in.Value
			case 2: // name
				name = r.out.String(in.Bytes)
			}
		}
		r.damaged(&in)
		to[id] = name
	}
	r.damaged(&m)
}

// defaults reads the defaults of a sequence.
func (r *reader) defaults(s *sequence, b []byte) {
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case 58: // timestamp_clock_id
			s.clock = m.Value
		case 11: // track_event_defaults
			s.extra = nil
			in := protobuf.Message{Rest: m.Bytes}
			for in.Next() {
				switch in.Number {
				case 11: // track_uuid
					s.track, s.hasTrack = in.Value, true
				case 31: // extra_counter_track_uuids
					s.extra = in.Numbers(s.extra)
				}
			}
			r.damaged(&in)
		}
	}
	r.damaged(&m)
}
