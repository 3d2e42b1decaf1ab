// Package tracks makes events of the records of tracing tools about threads: nested slices, asynchronous operations, flows between them, counters,
// instants, samples, and scheduling on CPUs. The readers of Chrome's and Perfetto's traces share it. docs/events.md lists the events of each record.
//
// # Order
//
// Such files are in no order of time. A Recording keeps 40 bytes of each record; Finish sorts the records of each track and merges the tracks.
//
// # Tracks
//
// A track is a thread, an asynchronous operation or a CPU. The slices of a track are nested: one that lasts longer than the slice around it is cut.
//
// A thread is a task on a PE of its own. It runs during its outermost slices and waits between them. The flow that leads to the beginning of an
// outermost slice is the message that ends the wait; if it leads to the first slice of a thread, its sender is taken as the parent of the thread. If
// CPUs are known, they are the PEs: switches of CPUs determine when a thread runs, and slices only determine its function then.
//
// Each outermost slice of an asynchronous track is a task, which the thread that began it forks. The task never runs, because threads do its work: it
// waits from its beginning to its end. The operations of a process are on one PE.
//
// Build tools number the rows of their pictures as threads and name none. Each outermost slice of a thread without a name, in a process without one,
// is a task too: an action. So is each outermost slice of a thread that Actions is called for. The sender of the last flow to an action forks it.
package tracks

import (
	"math"

	"whorl/internal/chunks"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// ID is the number of a track. Track numbers count from 1; 0 is none.
type ID uint32

// Kind is the kind of a track.
type Kind uint8

// The kinds of tracks.
const (
	Thread Kind = iota // of a process
	Async              // operations that one thread begins and another one may end
	Group              // counters and instants of a process
	CPU
)

// Text is the number of a name with its category.
type Text uint32

// NoClock is a processor time that is unknown.
const NoClock = math.MinInt64

// A record is one record of a file.
type record struct {
	time  int64
	value int64  // duration of a complete slice; bits of a counter's value; state and reason of a thread; next record of a flow, + 1
	track ID     // for scheduling, the CPU
	name  Text   // for scheduling, the thread that goes on; metric of an amount
	other uint32 // flow; stack of a sample; thread that began an asynchronous slice; for scheduling, the thread before
	clock uint32 // entry of clocks, 0 for none; of a flow its record before, + 1; for scheduling, the calling context; CPU of an amount
	kind  kind
	flags uint8
}

type kind uint8

const (
	begin kind = iota
	complete
	end
	endAll // slices of the track
	flowOut
	flowStep
	flowIn
	instant
	counter
	sample
	amount // a sample with its metric
	swap   // of a CPU
	waking
	creation
	exit
	migration
	system // a thread enters the system or leaves it
)

// Flags of records.
const (
	received uint8 = 1 << iota // the message of the flow has been received
	forks                      // the flow is the first one to its thread
	calls                      // the wait is in a call, whose name stands in place of the calling context
	late                       // the record is one after the wake-up
)

// clock holds the processor times of a slice: at its beginning or end, and how much it used.
type clock struct{ reading, used int64 }

// Bounds of a recording.
const (
	mostRecords = 1 << 31
	mostTracks  = 1 << 22
	mostTime    = 1 << 61
)

// A Recording collects the records of a trace, and plays them in the order of time when it is finished. Playing reads and extends the tracks, stacks and tasks
// of collecting, so that both are one type.
type Recording struct {
	Meta    *tracer.Meta
	Dropped *profile.Dropped

	w         *profile.Writer
	dict      *tracer.Dict
	s         *tracer.Stream
	records   chunks.List[record]
	clocks    []clock
	tracks    []track
	processes []process
	texts     texts
	codes     codes
	first     int64
	last      int64
	forks     map[uint32]*fork // by the record of the flow
	forked    map[uint32]*fork // by the record of the slice
	cpus      bool
	wakings   bool // there are records of wake-ups
	pes       int32
	tasks     uint64
	now       int64
}

// New returns an empty Recording that Finish records into rec.
func New(rec tracer.Recorder, o profile.Options) *Recording { return With(profile.NewWriter(rec, o)) }

// With returns an empty Recording that Finish records with w.
func With(w *profile.Writer) *Recording {
	r := &Recording{
		Meta: &w.Meta, Dropped: &w.Dropped, w: w, dict: w.Rec.Dict(), tracks: make([]track, 1), processes: make([]process, 1), clocks: make([]clock, 1),
		forks: map[uint32]*fork{}, forked: map[uint32]*fork{}, first: math.MaxInt64, last: math.MinInt64,
	}
	r.texts.begin()
	r.codes = r.fixed()
	return r
}

// codes are entries of the dictionary.
type codes struct {
	cpu, waiting, forks                       uint32
	noWork, preempted, next, outside, message uint32
	elapsed, profile, wakes, call             uint32 // 0 before their first use
	asynchronous, lasting                     uint32 // the same
}

func (r *Recording) fixed() codes {
	reason := r.w.Reason
	return codes{
		cpu: r.w.Metric("cpu", "ns"), waiting: r.w.Metric("waiting", "ns"), forks: r.w.Metric("forks", "forks"),
		noWork: reason(tracer.ReasonNoWork), preempted: reason(tracer.ReasonPreempted), next: reason("next slice"), outside: reason(tracer.ReasonOutside), message: reason(tracer.ReasonMessage),
	}
}

// A process is a process of the traced programs.
type process struct {
	name string
	host string
	id   string
	sort int64

	operates   bool  // it has had an asynchronous operation
	pe         int32 // of its operations
	operations int   // that have not ended
}

// Process returns the number of a new process. id distinguishes processes of the same name.
func (r *Recording) Process(id string) uint32 {
	r.processes = append(r.processes, process{id: id})
	return uint32(len(r.processes) - 1)
}

// NameProcess names a process. An empty name changes nothing.
func (r *Recording) NameProcess(p uint32, name string) {
	if name != "" {
		r.processes[p].name = name
	}
}

// HostProcess sets the host of a process.
func (r *Recording) HostProcess(p uint32, host string) { r.processes[p].host = host }

// SortProcess sets the place of a process among all.
func (r *Recording) SortProcess(p uint32, place int64) { r.processes[p].sort = place }

// Track returns a new track of a process, 0 if there are too many.
func (r *Recording) Track(k Kind, process uint32, id string) ID {
	if len(r.tracks) >= mostTracks {
		return 0
	}
	r.tracks = append(r.tracks, track{kind: k, process: process, id: id})
	return ID(len(r.tracks) - 1)
}

// NameTrack names a track. An empty name changes nothing.
func (r *Recording) NameTrack(t ID, name string) {
	if name != "" {
		r.tracks[t].name = name
	}
}

// Actions makes each outermost slice of a thread a task, as those of threads without names are.
func (r *Recording) Actions(t ID) { r.tracks[t].row = true }

// SortTrack sets the place of a track among those of its process.
func (r *Recording) SortTrack(t ID, place int64) { r.tracks[t].sort = place }

// Named reports whether a track has a name.
func (r *Recording) Named(t ID) bool { return r.tracks[t].name != "" }

// Alone declares that a CPU is the place of one thread, because the file has no CPUs.
func (r *Recording) Alone(cpu ID) { r.tracks[cpu].apart = true }

// Join gives the records of a track to another one.
func (r *Recording) Join(t, other ID) { r.tracks[t].joined = other }

// MoveTrack gives a track to another process.
func (r *Recording) MoveTrack(t ID, process uint32) { r.tracks[t].process = process }

// add adds a record.
func (r *Recording) add(x record) {
	switch {
	case x.track == 0:
		r.Dropped.Add("records of tracks beyond the limit", 1)
		return
	case x.time <= -mostTime || x.time >= mostTime || r.records.Len() >= mostRecords:
		r.Dropped.Add("records with strange times", 1)
		return
	}
	if r.codes.elapsed == 0 && (x.kind == begin || x.kind == complete) {
		r.codes.elapsed = r.w.Metric(tracer.RegionTime, "ns")
	}
	r.records.Add(x)
	r.tracks[x.track].end++
	r.first = min(r.first, x.time)
	r.last = max(r.last, x.time)
}

// clock enters processor times, in ns; at NoClock enters none.
func (r *Recording) clock(at, used int64) uint32 {
	if at == NoClock {
		return 0
	}
	r.clocks = append(r.clocks, clock{at, used})
	return uint32(len(r.clocks) - 1)
}

// Begin begins a slice. cpu is the processor time of the thread, by is the thread that begins a slice of an asynchronous track.
func (r *Recording) Begin(t ID, at int64, name Text, cpu int64, by ID) {
	r.add(record{kind: begin, track: t, time: at, name: name, other: uint32(by), clock: r.clock(cpu, NoClock)})
}

// Complete adds a slice with its duration. used is the processor time that it took.
func (r *Recording) Complete(t ID, at, duration int64, name Text, cpu, used int64, by ID) {
	if duration < 0 || duration >= mostTime {
		r.Dropped.Add("slices of negative length", 1)
		duration = 0
	}
	r.add(record{kind: complete, track: t, time: at, value: duration, name: name, other: uint32(by), clock: r.clock(cpu, used)})
	r.last = max(r.last, at+duration)
}

// End ends the innermost slice, and with all set every slice of the track.
func (r *Recording) End(t ID, at, cpu int64, all bool) {
	k := end
	if all {
		k = endAll
	}
	r.add(record{kind: k, track: t, time: at, clock: r.clock(cpu, NoClock)})
}

// A Step of a flow is its beginning, a stop or its end.
type Step uint8

// The steps of flows.
const (
	Out  Step = Step(flowOut)
	Stop Step = Step(flowStep)
	In   Step = Step(flowIn)
)

// Flow adds a step of a flow, which a number identifies. name names the kind of the message.
func (r *Recording) Flow(t ID, at int64, flow uint32, s Step, name Text) {
	r.add(record{kind: kind(s), track: t, time: at, other: flow, name: name})
}

// Instant adds an instant.
func (r *Recording) Instant(t ID, at int64, name Text) {
	r.add(record{kind: instant, track: t, time: at, name: name})
}

// Counter adds the value of a counter.
func (r *Recording) Counter(t ID, at int64, name Text, value float64) {
	if math.IsNaN(value) || math.Abs(value) > 1<<62 {
		r.Dropped.Add("values of counters out of range", 1)
		return
	}
	if value != math.Trunc(value) {
		r.texts.all[name].fraction = true
	}
	r.add(record{kind: counter, track: t, time: at, name: name, value: int64(math.Float64bits(value))})
}

// Sample adds a sample of a stack, which a calling context of the dictionary describes, with its weight.
func (r *Recording) Sample(t ID, at int64, name Text, stack uint32, weight int64) {
	r.add(record{kind: sample, track: t, time: at, name: name, other: stack, value: max(weight, 0)})
}

// Lasting adds a sample of a stack that stands for a time in ns.
func (r *Recording) Lasting(t ID, at int64, stack uint32, ns int64) {
	if r.codes.profile == 0 {
		r.codes.profile = r.w.Metric("profile", "ns")
	}
	r.Amount(t, 0, at, r.codes.profile, stack, ns)
}

// Amount adds a sample of a stack with an amount of a metric, which are entries of the dictionary. cpu is the CPU on which the thread ran, 0 for its
// current CPU.
func (r *Recording) Amount(t, cpu ID, at int64, metric, stack uint32, n int64) {
	r.add(record{kind: amount, track: t, time: at, name: Text(metric), other: stack, value: max(n, 0), clock: uint32(cpu)})
}
