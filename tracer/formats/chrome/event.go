package chrome

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"

	"whorl/tracer/formats/tracks"
)

// mostArgs bounds the arguments of an event that are read, in bytes.
const mostArgs = 1 << 20

// An event is an event of the file. Texts are numbers of strings.
type event struct {
	phase          byte
	timed, lasts   bool
	ts, dur        int64 // ns
	tts, tdur      int64
	key            key
	name, category uint32
	scope          uint32
	id, bind       uint32
	hasID, local   bool
	hasBind        bool
	flowIn, out    bool
	stack          uint32
	hasStack       bool
	args           []byte // the object as it is in the file
	hasArgs        bool
}

// event reads an event.
func (r *reader) event() {
	e := &r.e
	*e = event{args: e.args[:0], tts: tracks.NoClock, tdur: -1}
	for r.Object(); r.Key(); {
		switch string(r.Name) {
		case "ph":
			if b, ok := r.String(); ok && len(b) == 1 {
				e.phase = b[0]
			}
		case "ts":
			e.ts, e.timed = r.Decimal(3)
		case "dur":
			e.dur, e.lasts = r.Decimal(3)
		case "tts":
			if n, ok := r.Decimal(3); ok {
				e.tts = n
			}
		case "tdur":
			if n, ok := r.Decimal(3); ok {
				e.tdur = n
			}
		case "pid":
			e.key.process = r.identity()
		case "tid":
			e.key.thread = r.identity()
		case "name":
			e.name = r.text()
		case "cat":
			e.category = r.text()
		case "scope":
			e.scope = r.text()
		case "id":
			e.id, e.hasID = r.text(), true
		case "id2":
			r.id2()
		case "bind_id":
			e.bind, e.hasBind = r.text(), true
		case "flow_in":
			e.flowIn = r.truth()
		case "flow_out":
			e.out = r.truth()
		case "sf":
			e.stack, e.hasStack = r.text(), true
		case "args":
			if e.phase != 0 && !reads(e.phase) {
				from := r.Offset()
				r.Skip()
				e.hasArgs = r.Offset()-from > 2
				break
			}
			b, _ := r.Raw(mostArgs)
			e.args = append(e.args, b...)
			e.hasArgs = len(b) > 2
		default:
			r.Skip()
		}
	}
}

// reads reports whether the arguments of events of a phase are read.
func reads(phase byte) bool { return phase == 'M' || phase == 'C' || phase == 'P' }

// text returns the number of a string.
func (r *reader) text() uint32 {
	return r.out.String(r.Bytes())
}

// truth reads a flag.
func (r *reader) truth() bool {
	b, ok := r.Text()
	return ok && string(b) != "false" && string(b) != "0"
}

// id2 reads an id with the scope in which it is valid.
func (r *reader) id2() {
	for ok := r.TryObject(); ok && r.Key(); {
		switch string(r.Name) {
		case "local":
			r.e.id, r.e.hasID, r.e.local = r.text(), true, true
		case "global":
			r.e.id, r.e.hasID = r.text(), true
		default:
			r.Skip()
		}
	}
}

// apply adds an event to the tracks.
func (r *reader) apply() {
	e := &r.e
	if e.phase == 'M' {
		r.metadata()
		return
	}
	if e.hasArgs && e.phase != 'C' && e.phase != 'P' {
		r.out.Dropped.Add("arguments of events", 1)
	}
	if !e.timed {
		r.out.Dropped.Add("events without a time", 1)
		return
	}
	if r.first == 0 {
		r.first = e.ts
	}
	t, name := r.track(e.key), r.out.Text(e.category, e.name)
	switch e.phase {
	case 'B':
		r.out.Begin(t, e.ts, name, e.tts, 0)
		r.bound(t)
	case 'E':
		r.out.End(t, e.ts, e.tts, false)
	case 'X':
		if !e.lasts {
			r.out.Dropped.Add("slices without a duration", 1)
		} else if r.total() {
			r.out.Dropped.Add("sums of clang", 1)
			return
		} else if r.build != nil && r.build.slice(r, t, name) {
			return
		}
		r.out.Complete(t, e.ts, e.dur, name, e.tts, e.tdur, 0)
		r.bound(t)
	case 'b', 'S':
		if o := r.operation(); o != 0 {
			r.out.Begin(o, e.ts, name, tracks.NoClock, t)
		}
	case 'e':
		if o := r.operation(); o != 0 {
			r.out.End(o, e.ts, tracks.NoClock, false)
		}
	case 'F':
		if o := r.operation(); o != 0 {
			r.out.End(o, e.ts, tracks.NoClock, true)
		}
	case 'n', 'T', 'p':
		if o := r.operation(); o != 0 {
			r.out.Instant(o, e.ts, name)
		}
	case 's':
		r.flow(t, tracks.Out, name)
	case 't':
		r.flow(t, tracks.Stop, name)
	case 'f':
		r.flow(t, tracks.In, name)
	case 'i', 'I', 'R':
		r.out.Instant(t, e.ts, name)
	case 'C':
		r.counter()
	case 'P':
		if r.profile() {
			return
		}
		if e.hasStack {
			r.samples = append(r.samples, sample{time: e.ts, weight: 1, track: t, name: name, stack: e.stack})
		} else {
			r.out.Instant(t, e.ts, name)
		}
	default:
		r.out.Dropped.Add(left(e.phase), 1)
	}
}

// left names the events of a phase that are not kept.
func left(phase byte) string {
	switch phase {
	case 'N', 'D':
		return "objects created or deleted"
	case 'O':
		return "snapshots of objects"
	case 'v', 'V':
		return "memory dumps"
	case 'c':
		return "readings of clocks"
	case '(', ')':
		return "contexts"
	case 0:
		return "events without a phase"
	}
	return "events of the phase " + strconv.QuoteRune(rune(phase))
}

// total reports whether a slice is a sum over the whole run, which clang writes as a slice of a thread of its own.
func (r *reader) total() bool {
	return r.e.ts == 0 && strings.HasPrefix(r.out.Spelled(r.e.name), "Total ")
}

// keyed returns the number of an id: of its kind, its parts and, for a local id, its process.
func (r *reader) keyed(kind byte, parts ...uint32) uint32 {
	r.id = append(r.id[:0], kind)
	for _, p := range parts {
		r.id = binary.LittleEndian.AppendUint32(r.id, p)
	}
	if r.e.local {
		r.id = binary.LittleEndian.AppendUint64(r.id, uint64(r.e.key.process))
	}
	return r.out.String(r.id)
}

// operation returns the track of an asynchronous operation, 0 if the event has no id.
func (r *reader) operation() tracks.ID {
	e := &r.e
	if !e.hasID {
		r.out.Dropped.Add("events of operations without an id", 1)
		return 0
	}
	name := uint32(0)
	if bytes.IndexByte([]byte("STpF"), e.phase) >= 0 { // the older phases
		name = e.name
	}
	n := r.keyed('a', e.category, e.id, e.scope, name)
	o, ok := r.operations[n]
	if !ok {
		o = r.out.Track(tracks.Async, r.process(e.key.process).number, "")
		r.operations[n] = o
	}
	return o
}

// flow adds a step of a flow.
func (r *reader) flow(t tracks.ID, s tracks.Step, name tracks.Text) {
	e := &r.e
	if !e.hasID {
		r.out.Dropped.Add("flows without an id", 1)
		return
	}
	r.out.Flow(t, e.ts, r.keyed('f', e.category, e.name, e.id, e.scope), s, name)
}

// bound adds the flows of a slice that has a bind_id.
func (r *reader) bound(t tracks.ID) {
	e := &r.e
	if !e.hasBind || !e.flowIn && !e.out {
		return
	}
	s := tracks.Stop
	switch {
	case !e.out:
		s = tracks.In
	case !e.flowIn:
		s = tracks.Out
	}
	r.out.Flow(t, e.ts, r.keyed('b', e.bind), s, r.out.Text(e.category, 0))
}

// metadata reads names and places of processes and threads.
func (r *reader) metadata() {
	e := &r.e
	what := r.out.Spelled(e.name)
	var text []byte
	place, placed := int64(0), false
	a := &r.args
	a.Reset(bytes.NewReader(e.args))
	for a.Object(); a.Key(); {
		switch string(a.Name) {
		case "name":
			b, _ := a.Text()
			text = bytes.Clone(b)
		case "sort_index":
			place, placed = a.Decimal(0)
		default:
			a.Skip()
		}
	}
	switch what {
	case "process_name":
		r.out.NameProcess(r.process(e.key.process).number, string(text))
	case "thread_name":
		t := r.track(e.key)
		r.out.NameTrack(t, string(text))
		if r.build != nil && (string(text) == "Main Thread" || string(text) == "main") {
			r.build.main = t
		}
	case "process_sort_index":
		if placed {
			r.out.SortProcess(r.process(e.key.process).number, place)
		}
	case "thread_sort_index":
		if placed {
			r.out.SortTrack(r.track(e.key), place)
		}
	}
}

// counter adds the values of an event of counters, each as a counter.
func (r *reader) counter() {
	e := &r.e
	t := r.process(e.key.process).counters
	a := &r.args
	a.Reset(bytes.NewReader(e.args))
	for a.Object(); a.Key(); {
		r.id = append(r.id[:0], r.out.Spelled(e.name)...)
		if key := string(a.Name); key != "value" && key != string(r.id) {
			r.id = append(append(r.id, ' '), key...)
		}
		if e.hasID {
			r.id = append(append(r.id, ' '), r.out.Spelled(e.id)...)
		}
		name := r.out.Text(e.category, r.out.String(r.id))
		b, ok := a.Text()
		if x, err := strconv.ParseFloat(string(b), 64); ok && err == nil {
			r.out.Counter(t, e.ts, name, x)
		} else {
			r.out.Dropped.Add("values of counters without a number", 1)
		}
	}
	if a.Err() != nil {
		r.out.Dropped.Add("values of counters without a number", 1)
	}
}
