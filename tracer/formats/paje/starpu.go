package paje

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"slices"

	"whorl/internal/lines"
	"whorl/internal/nearest"
	"whorl/tracer"
)

// A job is a task of StarPU.
type job struct {
	id        uint64
	code      uint32
	pe        int32
	began     bool
	known     bool  // tasks.rec has it
	from, to  int64 // when it ran
	submitted int64
	depends   []*job
}

// mostJobs bounds the tasks of a file tasks.rec.
const mostJobs = 1 << 24

// job returns a job by its number in the file.
func (r *reader) job(name []byte) *job {
	j, ok := r.jobs[string(name)]
	if !ok && len(r.jobs) < mostJobs {
		j = &job{id: r.newTask()}
		r.jobs[string(name)] = j
	}
	return j
}

// jobBegins begins a job on a worker.
func (r *reader) jobBegins(c *container, m *machine, v *value, name []byte, at int64) {
	j := r.job(name)
	if j == nil || j.began {
		r.w.Dropped.Add("tasks that begin again", 1)
		return
	}
	j.began, j.code, j.pe, j.from, j.to = true, v.code, c.pe, at, at
	c.task = task{id: j.id, code: v.code, job: true}
	c.current = j
	e := tracer.Event{Time: at, Task: j.id, PE: c.pe, Peer: c.pe, Code: v.code}
	if !j.known {
		e.Kind = tracer.Fork
		r.slot(&m.lane, e)
	}
	m.kind = 0
	r.turn(c, m, work, 0, at)
	e.Kind, e.Value = tracer.Start, 1
	r.slot(&m.lane, e)
}

// jobEnds ends the job of a worker.
func (r *reader) jobEnds(c *container, m *machine, at int64) {
	r.slot(&m.lane, tracer.Event{Kind: tracer.End, Time: at, Task: c.task.id, PE: c.pe, Peer: tracer.None, Code: c.task.code})
	c.current.to = at
	if r.latest == nil || at >= r.latest.to {
		r.latest = c.current
	}
	c.task, c.current, m.kind = task{}, nil, 0
}

// readTasks reads tasks.rec: blocks of lines with a key and a value, with an empty line between them.
func (r *reader) readTasks(in io.Reader) {
	b := lines.New(in, longestLine)
	var name []byte
	var depends [][]byte
	var submitted int64
	add := func() {
		if len(name) > 0 {
			if j := r.job(name); j != nil && !j.known {
				j.known, j.submitted = true, submitted
				for _, d := range depends {
					if other := r.job(d); other != nil {
						j.depends = append(j.depends, other)
					}
				}
				r.recorded++
			}
		}
		name, depends, submitted = name[:0], nil, 0
	}
	open := false // a task has begun
	for {
		line, whole, err := b.Next()
		if !whole {
			r.w.Dropped.Add("lines of tasks.rec longer than the limit", 1)
		}
		key, rest, ok := bytes.Cut(bytes.TrimSpace(line), []byte(":"))
		unended := err != nil && len(line) > 0
		open = open || ok || unended
		switch {
		case unended: // its value may be cut
		case !ok && len(line) > 0:
			add()
			open = false
		case string(key) == "JobId":
			name = append(name[:0], bytes.TrimSpace(rest)...)
		case string(key) == "DependsOn":
			for _, d := range bytes.Fields(rest) {
				depends = append(depends, bytes.Clone(d))
			}
		case string(key) == "SubmitTime":
			submitted, _ = nanoseconds(bytes.TrimSpace(rest), 6)
		}
		if err != nil {
			if open { // each task has an empty line after it, so this one lacks a part
				task := "a task"
				if len(name) > 0 {
					task = "task " + nearest.Quote(string(name))
				}
				r.w.Dropped.Once("the end of tasks.rec: the file is cut within " + task)
			}
			switch {
			case !errors.Is(err, io.EOF):
				r.w.Dropped.Once("the rest of tasks.rec: " + err.Error())
			case r.recorded == 0:
				r.w.Dropped.Once("tasks.rec, which has no tasks")
			}
			return
		}
	}
}

// tasks records the facts about jobs in tasks.rec: the thread that submitted them, and their last dependence.
func (r *reader) tasks() {
	if r.recorded == 0 {
		return
	}
	var events []tracer.Event
	jobs := slices.SortedFunc(maps.Values(r.jobs), func(a, b *job) int { return cmp.Compare(a.id, b.id) })
	for _, j := range jobs {
		if j.began && !j.known {
			r.w.Dropped.Add("tasks missing in tasks.rec", 1)
		}
		if !j.known || !j.began { // the runtime has tasks of its own, which only represent dependences
			continue
		}
		at := min(j.submitted, j.from)
		e := tracer.Event{Kind: tracer.Fork, Time: at, Task: j.id, PE: j.pe, Peer: j.pe, Code: j.code}
		if o := r.origin; o != nil {
			e.Ref, e.PE = o.task.id, o.pe
			events = append(events, tracer.Event{Kind: tracer.Sample, Time: at, Task: o.task.id, Ref: uint64(o.task.context), PE: o.pe, Peer: tracer.None, Code: r.codes.forks, Value: 1})
		}
		events = append(events, e)
		var last *job
		for _, d := range j.depends {
			if d.began && d.to > at && d.to <= j.from && (last == nil || d.to > last.to || d.to == last.to && d.id < last.id) {
				last = d
			}
		}
		if last == nil {
			continue
		}
		events = append(events,
			tracer.Event{Kind: tracer.Wait, Time: at, Task: j.id, PE: j.pe, Peer: tracer.None, Code: r.codes.depend},
			tracer.Event{Kind: tracer.Wake, Time: last.to, Task: j.id, Ref: last.id, PE: last.pe, Peer: tracer.None},
			tracer.Event{Kind: tracer.Sample, Time: last.to, Task: j.id, PE: j.pe, Peer: tracer.None, Code: r.codes.waiting, Value: last.to - at})
	}
	slices.SortStableFunc(events, func(a, b tracer.Event) int { return cmp.Compare(a.Time, b.Time) })
	for _, e := range events {
		*r.first.Slot() = e
	}
}
