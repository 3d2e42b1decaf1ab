package tracks

import (
	"cmp"
	"sort"
	"strconv"

	"whorl/tracer"
)

// place gives PEs to CPUs and to the threads that have none, in the order of the tool.
func (r *Recording) place() {
	var list []ID
	for i := range r.tracks {
		t := &r.tracks[i]
		if i > 0 && (t.kind == CPU || t.kind == Thread && !t.scheduled && (t.first < t.end || t.task != 0)) {
			list = append(list, ID(i))
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &r.tracks[list[i]], &r.tracks[list[j]]
		p, q := &r.processes[a.process], &r.processes[b.process]
		return cmp.Or(
			cmp.Compare(b.kind, a.kind), cmp.Compare(p.sort, q.sort), number(p.id, q.id), cmp.Compare(a.process, b.process),
			cmp.Compare(a.sort, b.sort), number(a.id, b.id)) < 0
	})
	names := map[string]int{}
	for i := range r.processes[1:] {
		names[r.processes[i+1].name]++
	}
	for i := range r.processes[1:] {
		p := &r.processes[i+1]
		switch {
		case p.name == "" && p.id != "":
			p.name = "process " + p.id
		case names[p.name] > 1 && !r.cpus: // their threads have no PEs to tell apart
			p.name += " " + p.id
		}
	}
	type thread struct {
		process uint32
		name    string
	}
	threads := map[thread]int{}
	for _, id := range list {
		threads[thread{r.tracks[id].process, r.tracks[id].label()}]++
	}
	of := map[uint32]int32{} // the first PE of a process
	for _, id := range list {
		t := &r.tracks[id]
		name := t.label()
		if threads[thread{t.process, name}] > 1 && t.id != "" {
			name += " " + t.id
		}
		t.pe = r.newPE(t.process, name)
		if _, ok := of[t.process]; !ok && t.kind == Thread {
			of[t.process] = t.pe
		}
	}
	for i := range r.tracks {
		t := &r.tracks[i]
		if t.kind != Group || t.first == t.end || i == 0 {
			continue
		}
		if pe, ok := of[t.process]; ok {
			t.pe = pe
		} else if r.pes == 0 || !r.cpus {
			t.pe = r.newPE(t.process, cmp.Or(t.name, "counters"))
			of[t.process] = t.pe
		}
	}
}

// label returns the name of a track for people.
func (t *track) label() string {
	switch {
	case t.name != "":
		return t.name
	case t.kind == CPU:
		return "CPU " + t.id
	}
	return "thread " + t.id
}

// newPE returns a new PE.
func (r *Recording) newPE(process uint32, name string) int32 {
	r.Meta.PEInfo = append(r.Meta.PEInfo, tracer.PE{Host: r.processes[process].host, Process: r.processes[process].name, Thread: name})
	r.pes++
	return r.pes - 1
}

// number compares two numbers, or other ids as texts.
func number(a, b string) int {
	x, errA := strconv.ParseInt(a, 10, 64)
	y, errB := strconv.ParseInt(b, 10, 64)
	if errA == nil && errB == nil {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}
