package perfetto

import (
	"encoding/binary"
	"math"
	"strings"

	"whorl/internal/protobuf"
	"whorl/tracer/formats/tracks"
)

// Types of track events.
const (
	typeBegin   = 1
	typeEnd     = 2
	typeInstant = 3
	typeCounter = 4
	typeState   = 5
)

// A counted is a value of a counter.
type counted struct {
	time           int64
	track          uint64
	value          float64
	name, category uint32
}

// An event is a track event.
type event struct {
	kind           uint64
	track          uint64
	hasTrack       bool
	name, category uint32
	value          float64
	extra          []uint64
	extras         []uint64 // tracks of extra
	hasExtras      bool
	flows, ends    []uint64
	cpu            int64
	annotated      bool
	legacy         []byte
}

// trackEvent reads a track event.
func (r *reader) trackEvent(s *sequence, b []byte, at int64, timed bool) {
	e := event{cpu: tracks.NoClock}
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case 1: // timestamp_delta_us
			s.reference += int64(m.Value) * 1000
			at, timed = s.reference, true
		case 16: // timestamp_absolute_us
			at, timed = int64(m.Value)*1000, true
		case 2: // thread_time_delta_us
			s.processor += int64(m.Value) * 1000
			e.cpu = s.processor
		case 17: // thread_time_absolute_us
			e.cpu = int64(m.Value) * 1000
		case 3: // category_iids
			if r.numbers = m.Numbers(r.numbers[:0]); e.category == 0 && len(r.numbers) > 0 {
				e.category = s.categories[r.numbers[0]]
			}
		case 4: // debug_annotations
			e.annotated = true
		case 6: // legacy_event
			e.legacy = m.Bytes
		case 9: // type
			e.kind = m.Value
		case 10: // name_iid
			e.name = s.names[m.Value]
		case 11: // track_uuid
			e.track, e.hasTrack = m.Value, true
		case 12: // extra_counter_values
			e.extra = m.Numbers(e.extra)
		case 22: // categories
			if e.category == 0 {
				e.category = r.out.String(m.Bytes)
			}
		case 23: // name
			e.name = r.out.String(m.Bytes)
		case 30: // counter_value
			e.value = float64(int64(m.Value))
			if d := r.described[e.trackOr(s)]; d != nil && d.sums {
				s.sums[e.trackOr(s)] += int64(m.Value)
				e.value = float64(s.sums[e.trackOr(s)])
			}
		case 31: // extra_counter_track_uuids
			e.extras, e.hasExtras = m.Numbers(e.extras), true
		case 44: // double_counter_value
			e.value = math.Float64frombits(m.Value)
		case 36, 47: // flow_ids_old, flow_ids
			e.flows = appendFixed(e.flows, &m)
		case 42, 48: // terminating_flow_ids_old, terminating_flow_ids
			e.ends = appendFixed(e.ends, &m)
		}
	}
	if m.Bad {
		r.out.Dropped.Add("events with damage", 1)
		return
	}
	if !timed {
		r.out.Dropped.Add("events without a time", 1)
		return
	}
	if e.annotated {
		r.out.Dropped.Add("annotations of events", 1)
	}
	r.extras(s, &e, at)
	r.apply(s, &e, at)
}

// appendFixed appends the numbers of a field, 64 bits each if it is packed.
func appendFixed(to []uint64, m *protobuf.Message) []uint64 {
	if !m.Packed {
		return append(to, m.Value)
	}
	if m.Number == 36 || m.Number == 42 {
		return m.Numbers(to)
	}
	for b := m.Bytes; len(b) >= 8; b = b[8:] {
		to = append(to, binary.LittleEndian.Uint64(b))
	}
	return to
}

// trackOr returns the track of an event.
func (e *event) trackOr(s *sequence) uint64 {
	if e.hasTrack {
		return e.track
	}
	return s.track
}

// extras adds the extra counters of an event. One may be the processor time of its thread.
func (r *reader) extras(s *sequence, e *event, at int64) {
	on := s.extra
	if e.hasExtras {
		on = e.extras
	}
	for i, v := range e.extra {
		if i >= len(on) {
			break
		}
		d := r.track(on[i])
		n := int64(v)
		if d.sums {
			s.sums[on[i]] += n
			n = s.sums[on[i]]
		}
		if d.time {
			e.cpu = n * d.factor
		} else {
			r.counters = append(r.counters, counted{time: at, track: on[i], value: float64(n)})
		}
	}
}

// apply adds an event to its track.
func (r *reader) apply(s *sequence, e *event, at int64) {
	if e.kind == 0 && e.legacy != nil {
		r.legacy(s, e, at)
		return
	}
	if e.kind == typeCounter {
		r.track(e.trackOr(s))
		r.counters = append(r.counters, counted{time: at, track: e.trackOr(s), value: e.value})
		return
	}
	t, by := r.where(s, e)
	name := r.out.Text(e.category, e.name)
	switch e.kind {
	case typeBegin:
		r.out.Begin(t, at, name, e.cpu, by)
	case typeEnd:
		r.out.End(t, at, e.cpu, false)
	case typeInstant:
		r.out.Instant(t, at, name)
	case typeState: // lasts until the next one
		if r.states[t] {
			r.out.End(t, at, tracks.NoClock, true)
		}
		if r.states[t] = e.name != 0; r.states[t] {
			r.out.Begin(t, at, name, tracks.NoClock, by)
		}
	default:
		r.out.Dropped.Add("events of other types", 1)
		return
	}
	r.follow(t, at, e, name)
	if e.legacy != nil {
		r.bound(t, at, e, name)
	}
}

// follow adds the flows through an event and those that end there.
func (r *reader) follow(t tracks.ID, at int64, e *event, name tracks.Text) {
	for _, f := range e.flows {
		r.flow(t, at, f, tracks.Stop, name)
	}
	for _, f := range e.ends {
		r.flow(t, at, f, tracks.In, name)
	}
}

// where returns the track of an event, and the thread that has written it.
func (r *reader) where(s *sequence, e *event) (t, by tracks.ID) {
	if s.hasTrack {
		by = r.slices(s.track)
	} else {
		by = s.thread
	}
	switch {
	case e.hasTrack:
		t = r.slices(e.track)
	case s.hasTrack || s.thread == 0:
		t = r.slices(s.track)
	default:
		t = s.thread
	}
	if by == t {
		by = 0
	}
	return t, by
}

// flow adds a step of a flow.
func (r *reader) flow(t tracks.ID, at int64, id uint64, s tracks.Step, name tracks.Text) {
	r.id = binary.LittleEndian.AppendUint64(append(r.id[:0], 'f'), id)
	r.out.Flow(t, at, r.out.String(r.id), s, name)
}

// An older is an event in the terms of the older form in JSON.
type older struct {
	phase               byte
	duration, used      int64
	id, bind, direction uint64
	scope               uint32
	hasID, local        bool
	process, number     int64
	moved               bool // to another thread
}

// read reads the fields of an older event.
func (o *older) read(r *reader, s *sequence, e *event) {
	o.used = -1
	m := protobuf.Message{Rest: e.legacy}
	for m.Next() {
		switch m.Number {
		case 1: // name_iid
			e.name = s.names[m.Value]
		case 2: // phase
			o.phase = byte(m.Value)
		case 3: // duration_us
			o.duration = int64(m.Value) * 1000
		case 4: // thread_duration_us
			o.used = int64(m.Value) * 1000
		case 6, 11: // unscoped_id, global_id
			o.id, o.hasID = m.Value, true
		case 10: // local_id
			o.id, o.hasID, o.local = m.Value, true, true
		case 7: // id_scope
			o.scope = r.out.String(m.Bytes)
		case 8: // bind_id
			o.bind = m.Value
		case 13: // flow_direction
			o.direction = m.Value
		case 18: // pid_override
			o.process, o.moved = int64(int32(m.Value)), true
		case 19: // tid_override
			o.number, o.moved = int64(int32(m.Value)), true
		}
	}
}

// bound adds the flow of a slice that has a bind_id.
func (r *reader) bound(t tracks.ID, at int64, e *event, name tracks.Text) {
	var o older
	m := protobuf.Message{Rest: e.legacy}
	for m.Next() {
		switch m.Number {
		case 8: // bind_id
			o.bind = m.Value
		case 13: // flow_direction
			o.direction = m.Value
		}
	}
	r.binds(t, at, &o, name)
}

func (r *reader) binds(t tracks.ID, at int64, o *older, name tracks.Text) {
	if step := [...]tracks.Step{0, tracks.In, tracks.Out, tracks.Stop}[o.direction&3]; o.bind != 0 && step != 0 {
		r.flow(t, at, o.bind, step, name)
	}
}

// legacy adds an event that is described in the terms of the older form.
func (r *reader) legacy(s *sequence, e *event, at int64) {
	var o older
	o.read(r, s, e)
	t, by := r.where(s, e)
	who := s.numbers
	if d := r.described[s.track]; s.hasTrack && d != nil {
		who = d.thread
	}
	if o.moved {
		if o.process != 0 {
			who.process = o.process
		}
		if o.number != 0 {
			who.number = o.number
		}
		t, by = r.thread(who), 0
	}
	name := r.out.Text(e.category, e.name)
	switch o.phase {
	case 'B':
		r.out.Begin(t, at, name, e.cpu, by)
	case 'E':
		r.out.End(t, at, e.cpu, false)
	case 'X':
		r.out.Complete(t, at, o.duration, name, e.cpu, o.used, by)
	case 'i', 'I', 'R', 'P':
		r.out.Instant(t, at, name)
	case 's':
		r.flow(t, at, o.id, tracks.Out, name)
	case 't':
		r.flow(t, at, o.id, tracks.Stop, name)
	case 'f':
		r.flow(t, at, o.id, tracks.In, name)
	case 'b', 'S', 'e', 'F', 'n', 'T', 'p':
		r.operation(&o, e, at, t, who, name)
	case 'C', 'M', 'N', 'O', 'D', 'v', 'V', 'c', '(', ')':
		r.out.Dropped.Add("older counters, names, objects and dumps", 1)
		return
	default:
		r.out.Dropped.Add("events of other types", 1)
		return
	}
	r.follow(t, at, e, name)
	r.binds(t, at, &o, name)
}

// operation adds an event of an asynchronous operation.
func (r *reader) operation(o *older, e *event, at int64, by tracks.ID, who thread, name tracks.Text) {
	r.id = binary.LittleEndian.AppendUint64(append(r.id[:0], 'a'), o.id)
	r.id = binary.LittleEndian.AppendUint32(r.id, o.scope)
	r.id = binary.LittleEndian.AppendUint32(r.id, e.category)
	if o.local {
		r.id = binary.LittleEndian.AppendUint64(r.id, uint64(who.process))
	}
	if strings.IndexByte("SFTp", o.phase) >= 0 {
		r.id = binary.LittleEndian.AppendUint32(r.id, e.name)
	}
	key := r.out.String(r.id)
	t, ok := r.operations[key]
	if !ok {
		t = r.out.Track(tracks.Async, r.process(who.process), "")
		r.operations[key] = t
	}
	switch o.phase {
	case 'b', 'S':
		r.out.Begin(t, at, name, tracks.NoClock, by)
	case 'e':
		r.out.End(t, at, tracks.NoClock, false)
	case 'F':
		r.out.End(t, at, tracks.NoClock, true)
	default:
		r.out.Instant(t, at, name)
	}
}
