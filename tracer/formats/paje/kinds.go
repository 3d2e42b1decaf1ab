package paje

import (
	"strings"

	"whorl/tracer"
)

// A class is the class of a type.
type class uint8

const (
	ofContainers class = iota
	ofStates
	ofEvents
	ofVariables
	ofLinks
)

// A kind is a type: of containers, or of the states, events, variables or links of containers.
type kind struct {
	name      string
	class     class
	container *kind // the type of the containers; for types of containers, of their parents
	code      uint32
	values    map[string]*value

	rows     bool // its containers are PEs
	computes bool // its containers work outside of all states
	works    bool // its containers are workers with tasks of their own
}

// A value is a value of a type of states, events or links.
type value struct {
	name     string
	activity activity // in a state
	reason   uint32   // of the activity
	code     uint32   // function of states
	mark     uint32
}

// activity is the activity of a container in a state.
type activity uint8

const (
	nothing  activity = iota // it waits for an event that is not in the trace
	work                     // of the program
	overhead                 // of the runtime system
	talk                     // it sends or receives
	poll                     // the same, without waiting
	gather                   // a collective operation: all wait for the last one
)

// behaviours maps the names of states, in lower case, to activities.
var behaviours = map[string]activity{
	"idle": nothing, "sleeping": nothing, "sleep": nothing, "waiting": nothing, "wait": nothing, "blocked": nothing, "nothing": nothing, "suspended": nothing,
	"waiting task": nothing, "waiting all tasks": nothing, "usertesting": poll, "userwaiting": nothing, "no work": nothing,
	"fetchinginput": talk, "pushingoutput": talk, "sendsubmitted": talk, "receivesubmitted": talk, "recievesubmitted": talk, "sendcompleted": talk,
	"receivecompleted": talk, "recievecompleted": talk, "mpi test": poll, "testing detached": poll, "polling": poll,
	"overhead": overhead, "scheduling": overhead, "progressing": overhead, "initializing": overhead, "deinitializing": overhead, "unpartitioning": overhead,
	"hypervisor": overhead, "callback": overhead, "building task": overhead, "submitting task": overhead, "throttling task submission": overhead,
}

// operationsOf maps the names of operations of MPI to activities. The others talk.
var operationsOf = map[string]activity{
	"isend": poll, "irecv": poll, "ibsend": poll, "issend": poll, "irsend": poll, "test": poll, "testany": poll, "testall": poll, "testsome": poll, "iprobe": poll,
	"init": poll, "finalize": poll, "comm_rank": poll, "comm_size": poll, "start": poll, "startall": poll, "compute": work, "computing": work, "sleep": nothing,
	"barrier": gather, "allreduce": gather, "allgather": gather, "allgatherv": gather, "alltoall": gather, "alltoallv": gather, "reducescatter": gather, "reduce_scatter": gather,
}

// activityOf returns the activity in a state with a name.
func activityOf(name string) activity {
	lower := strings.ToLower(name)
	if d, ok := behaviours[lower]; ok {
		return d
	}
	for _, prefix := range []string{"pmpi_", "mpi_", "action_", "smpi_replay_run_", "smpi_replay_"} {
		if operation, ok := strings.CutPrefix(lower, prefix); ok {
			if d, ok := operationsOf[operation]; ok {
				return d
			}
			return talk
		}
	}
	return work
}

// define defines a type.
func (r *reader) define(c class) {
	name, alias := string(r.get[fieldName]), string(r.get[fieldAlias])
	if name == "" {
		name = alias
	}
	of, ok := r.kinds[string(r.get[fieldType])]
	switch {
	case name == "":
		r.w.Dropped.Add("types without a name", 1)
		return
	case !ok:
		r.w.Dropped.Add("types of unknown types", 1)
		return
	case r.names >= mostNames:
		r.w.Dropped.Add("types and values beyond the limit", 1)
		return
	}
	r.names++
	k := &kind{name: name, class: c, container: of, values: map[string]*value{}}
	code := tracer.Code{Name: name}
	switch c {
	case ofContainers:
		code.Type = tracer.Function
		k.computes, k.works = name == "MPI" || name == "User Thread", name == "Worker"
		if alias == "MPIP" || name == "Memory Node" {
			r.starpu, r.scale = true, 6 // its times are in ms
		}
	case ofStates:
		code.Type, code.Unit, code.Scale = tracer.Metric, "ns", 1
		of.rows, r.haveRows = true, true
	case ofLinks:
		code.Type = tracer.MessageClass
		for _, f := range []field{fieldStartType, fieldEndType} {
			if end, ok := r.kinds[string(r.get[f])]; ok && end.class == ofContainers {
				end.rows, r.haveRows = true, true
			}
		}
	default:
		code.Type = tracer.Name
	}
	if c != ofVariables {
		k.code = r.dict.Add(code)
	}
	if alias == "" {
		alias = name
	}
	r.kinds[alias] = k
	if _, ok := r.kinds[name]; !ok {
		r.kinds[name] = k
	}
}

// kind returns the type of the record, if it is of a class.
func (r *reader) kind(c class) *kind {
	k, ok := r.kinds[string(r.get[fieldType])]
	if !ok || k.class != c {
		r.w.Dropped.Add("records of unknown types", 1)
		return nil
	}
	return k
}

// defineValue defines a value of a type.
func (r *reader) defineValue() {
	k, ok := r.kinds[string(r.get[fieldType])]
	if !ok {
		r.w.Dropped.Add("values of unknown types", 1)
		return
	}
	name, alias := r.get[fieldName], r.get[fieldAlias]
	if len(alias) == 0 {
		alias = name
	}
	if v := r.value(k, name); v != nil {
		k.values[string(alias)] = v
	}
}

// value returns a value of a type, a new one for an unknown name; nil if there are too many.
func (r *reader) value(k *kind, name []byte) *value {
	if v, ok := k.values[string(name)]; ok {
		return v
	}
	if r.names >= mostNames || k.values == nil {
		r.w.Dropped.Add("types and values beyond the limit", 1)
		return nil
	}
	r.names++
	v := &value{name: string(name)}
	if v.name == "" {
		v.name = "[unnamed]"
	}
	if k.class == ofStates {
		v.activity = activityOf(v.name)
		v.code = r.dict.Add(tracer.Code{Type: tracer.Function, Name: v.name})
		v.reason = r.codes.message
		if v.activity == nothing || v.activity == overhead {
			v.reason = r.w.Reason(strings.ToLower(v.name))
		}
	} else {
		v.mark = r.w.Name(v.name)
	}
	k.values[v.name] = v
	return v
}

// unset is the PE of a container that has none yet.
const unset int32 = -2

// A container has states, variables, events and links.
type container struct {
	name   string
	kind   *kind
	parent *container
	depth  int // containers around it
	pe     int32
	below  int32 // the first PE of this one or of one in it
	inner  []*container
	done   bool

	machines []*machine         // the first one has the activity of the task
	others   map[*kind]*machine // the others by the type of their states
	numbers  map[*kind]*number  // variables
	events   *lane
	sends    *lane
	queue    []*parcel // links from it that have not been recorded
	task     task
	current  *job           // of a worker
	met      map[*value]int // number of collective operations that it has begun
}

// A lane is a stream with the time of its last event.
type lane struct {
	s    *tracer.Stream
	last int64
}

// slot returns a row of the lane for an event at a time. A time that goes back is the last one.
func (r *reader) slot(l *lane, e tracer.Event) {
	if e.Time < l.last {
		r.fell++
		e.Time = l.last
	}
	l.last = e.Time
	*l.s.Slot() = e
}

// lane makes a lane where there is none.
func (r *reader) lane(l **lane, name string) *lane {
	if *l == nil {
		*l = &lane{s: r.stream(name)}
	}
	return *l
}

// create makes a container.
func (r *reader) create() {
	at, ok := r.recordTime()
	k := r.kind(ofContainers)
	parent, known := r.containers[string(r.get[fieldContainer])]
	if !ok || k == nil {
		return
	}
	if !known {
		parent = r.root
		if len(r.get[fieldContainer]) > 0 {
			r.w.Dropped.Add("containers in unknown ones", 1)
		}
	}
	switch {
	case len(r.all) >= mostContainers:
		r.w.Dropped.Add("containers beyond the limit", 1)
		return
	case parent.depth >= mostAround:
		r.w.Dropped.Add("containers deeper than the limit", 1)
		return
	}
	name, alias := strings.TrimSpace(string(r.get[fieldName])), string(r.get[fieldAlias])
	if name == "" {
		name = alias
	}
	if alias == "" {
		alias = name
	}
	c := &container{name: name, kind: k, parent: parent, depth: parent.depth + 1, pe: unset, below: unset}
	parent.inner = append(parent.inner, c)
	r.all = append(r.all, c)
	r.containers[alias] = c
	if _, ok := r.containers[name]; !ok {
		r.containers[name] = c
	}
	if k.computes {
		r.ranks++
		r.born(c, at)
	}
}

// container returns the container of a field.
func (r *reader) container(f field) *container {
	c, ok := r.containers[string(r.get[f])]
	if !ok {
		r.w.Dropped.Add("records of unknown containers", 1)
		return nil
	}
	return c
}

// destroy ends a container and those in it.
func (r *reader) destroy() {
	at, ok := r.recordTime()
	c, known := r.containers[string(r.get[fieldName])]
	if !known {
		c, known = r.containers[string(r.get[fieldAlias])]
	}
	if !ok {
		return
	}
	if !known || c == r.root {
		r.w.Dropped.Add("ends of unknown containers", 1)
		return
	}
	r.endAll(c, at)
	for _, name := range []string{string(r.get[fieldName]), string(r.get[fieldAlias]), c.name} {
		if r.containers[name] == c {
			delete(r.containers, name)
		}
	}
}

// endAll ends the tasks of a container and of those in it.
func (r *reader) endAll(c *container, at int64) {
	list := []*container{c}
	for len(list) > 0 {
		c, list = list[len(list)-1], list[:len(list)-1]
		list = append(list, c.inner...)
		c.inner = nil
		r.end(c, at)
	}
}

// place returns the PE of a container that has states or links.
func (r *reader) place(c *container) int32 {
	if c.pe != unset {
		return c.pe
	}
	info := tracer.PE{Thread: c.name}
	if p := c.parent; p != nil && p != r.root {
		info.Process = p.name
		switch upper := strings.ToUpper(p.kind.name); {
		case upper == "HOST" || upper == "NODE" || upper == "MACHINE":
			info.Host, info.Process = p.name, c.name
		case r.starpu:
			for p.kind.name != "Program" && p.parent != r.root {
				p = p.parent
			}
			info.Process = p.name
		case p.parent != r.root:
			info.Host = p.parent.name
		}
	}
	pe, err := r.w.Processor(info)
	if err != nil {
		r.w.Dropped.Add("containers beyond the largest machine", 1)
		pe = 0
	}
	c.pe = pe
	for len(r.rows) <= int(pe) {
		r.rows = append(r.rows, nil)
	}
	for up := c; up != nil && up.below == unset; up = up.parent {
		up.below = pe
	}
	if r.rows[pe] == nil {
		r.rows[pe] = c
	}
	return pe
}

// near returns the PE to which the variables and events of a container belong, and whether it is that of the container itself.
func (r *reader) near(c *container) (pe int32, own bool) {
	if c.pe != unset || c == r.root || !r.haveRows || c.kind.rows && (c.kind.works || c.kind.computes || !r.starpu) {
		return r.place(c), true
	}
	for up := c; up != nil; up = up.parent {
		if up.below != unset {
			return up.below, false
		}
	}
	return 0, false
}
