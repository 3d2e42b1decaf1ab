package perf

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// record records the samples of all files.
func record(w *profile.Writer, files []*file) {
	events := kinds(files)
	ticks, periods := make([]uint32, len(events)), make([]uint32, len(events))
	for i, name := range events {
		count := "ticks"
		if len(events) > 1 {
			count = cmp.Or(name, "other") + " ticks"
		}
		ticks[i], periods[i] = w.Metric(count, "ticks"), w.Metric(cmp.Or(name, "period"), unitOf(name))
	}
	for _, same := range hosts(files) {
		base := int64(math.MaxInt64)
		for _, f := range same {
			for i := range f.samples {
				base = min(base, f.samples[i].time)
			}
		}
		for _, f := range same {
			for i := range f.samples {
				f.samples[i].time -= base
			}
		}
	}
	for _, f := range files {
		pe, err := f.processors(len(files) > 1)
		if err != nil {
			w.Dropped.Add("samples of processes beyond the processor limit", int64(len(f.samples)))
			continue
		}
		f.record(pe, events, ticks, periods)
	}
	w.Meta.Program, w.Meta.Args = program(files)
	w.Finish()
}

// unitOf returns the unit of the periods of an event. Clocks count ns.
func unitOf(event string) string {
	name, _, _ := strings.Cut(event, ":")
	if name == "cpu-clock" || name == "task-clock" {
		return "ns"
	}
	return cmp.Or(name, "events")
}

// record records the samples of a file in the order of their times.
func (f *file) record(pe []int32, events []string, ticks, periods []uint32) {
	s := f.w.Rec.Stream(tracer.StreamInfo{Name: f.name})
	slices.SortStableFunc(f.samples, func(a, b sample) int { return cmp.Compare(a.time, b.time) })
	kind := make([]int, len(f.events.Keys))
	for i, name := range f.events.Keys {
		kind[i] = slices.Index(events, name)
	}
	for i := range f.samples {
		one := &f.samples[i]
		k := kind[one.event]
		f.w.Begin(s, pe[one.who], one.time)
		f.w.Sample(s, one.time, pe[one.who], one.context, ticks[k], 1)
		if one.period != 0 {
			f.w.Sample(s, one.time, pe[one.who], one.context, periods[k], one.period)
		}
	}
	if s != nil {
		s.Sync()
	}
}

// processors numbers the processors of a file in the order of their processes and threads.
func (f *file) processors(several bool) ([]int32, error) {
	order := make([]int32, len(f.who.Keys))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return f.who.Keys[a].compare(f.who.Keys[b]) })
	first := map[int64]string{} // names of processes, taken from their first threads
	for _, i := range order {
		if _, ok := first[f.who.Keys[i].pid]; !ok || f.who.Keys[i].tid == f.who.Keys[i].pid {
			first[f.who.Keys[i].pid] = f.names[i]
		}
	}
	pe := make([]int32, len(order))
	for _, i := range order {
		key, name := f.who.Keys[i], f.names[i]
		p := tracer.PE{Host: f.host}
		switch {
		case f.by == "cpu":
			p.Thread = "cpu " + strconv.FormatInt(key.cpu, 10)
		case f.by == "process" || key.pid >= 0:
			p.Process = named(first[key.pid], key.pid)
		}
		if f.by == "thread" {
			number := key.tid
			if key.tid <= 0 && key.cpu >= 0 {
				name, number = name+"/"+strconv.FormatInt(key.cpu, 10), -1
			}
			p.Thread = named(name, number)
		}
		if several {
			p.Process = strings.TrimSpace(f.name + " " + p.Process)
		}
		n, err := f.w.Processor(p)
		if err != nil {
			return nil, err
		}
		pe[i] = n
	}
	return pe, nil
}

// named returns the name of a thread or a process with its number.
func named(name string, number int64) string {
	if number < 0 {
		return name
	}
	return strings.TrimSpace(fmt.Sprintf("%s %d", name, number))
}

// program returns the program and its arguments: the command of perf record, or else the most frequent name of the samples.
func program(files []*file) (string, []string) {
	most := map[string]int{}
	best := ""
	for _, f := range files {
		if _, run, ok := strings.Cut(f.command, " -- "); ok {
			if fields := strings.Fields(run); len(fields) > 0 {
				return fields[0], fields[1:]
			}
		}
		for i := range f.samples {
			name := f.names[f.samples[i].who]
			if most[name]++; most[name] > most[best] {
				best = name
			}
		}
	}
	return best, nil
}
