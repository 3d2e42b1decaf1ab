package perf

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/numbering"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/formats/tracks"
)

// A pair holds the metrics of an event: of its number of samples and of their periods.
type pair struct{ ticks, period uint32 }

// metrics returns the metrics of the events of all files, by file and by number of the event.
func metrics(w *profile.Writer, files []*file) [][]pair {
	var names numbering.List[string]
	for _, f := range files {
		for _, name := range f.events.Keys {
			names.Number(name)
		}
	}
	all := make([]pair, len(names.Keys))
	for i, name := range names.Keys {
		ticks := "ticks"
		if len(all) > 1 {
			ticks = cmp.Or(name, "other") + " ticks"
		}
		all[i] = pair{w.Metric(ticks, "ticks"), w.Metric(cmp.Or(name, "period"), unitOf(name))}
	}
	byFile := make([][]pair, len(files))
	for i, f := range files {
		for _, name := range f.events.Keys {
			byFile[i] = append(byFile[i], all[names.Number(name)])
		}
	}
	return byFile
}

// finish adds the samples of all files to a recording of the scheduler and ends it.
func finish(w *profile.Writer, out *tracks.Recording, files []*file) {
	codes := metrics(w, files)
	for n, f := range files {
		for i := range f.samples {
			one := &f.samples[i]
			if scheduled(f.events.Keys[one.event]) {
				continue
			}
			m := codes[n][one.event]
			at, context := f.sinceFirst(one.time), one.context
			cpu := tracks.ID(0)
			if one.cpu >= 0 && one.cpu < mostCPUs {
				cpu = f.cpu(int64(one.cpu))
			}
			t := one.thread
			if tid := f.who.Keys[one.who].tid; t == 0 && tid > 0 {
				if f.sched.first[tid] == nil {
					f.thread(tid, f.names[one.who], f.who.Keys[one.who].pid)
				}
				t = f.sched.first[tid].id
			}
			if t == 0 {
				if t = cpu; t == 0 {
					continue
				}
			}
			w.Sampled++
			out.Amount(t, cpu, at, m.ticks, context, 1)
			if one.period != 0 {
				out.Amount(t, cpu, at, m.period, context, one.period)
			}
		}
	}
	if len(files) > 1 {
		out.Meta.Clock = tracer.Aligned
	}
	out.Meta.Program, out.Meta.Args = program(files)
	out.Finish(0)
}

// record records the samples of all files.
func record(w *profile.Writer, files []*file) {
	codes := metrics(w, files)
	for _, f := range files {
		w.Dropped.Add("samples without a stack", f.bare)
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
	for i, f := range files {
		pe, err := f.processors(len(files) > 1)
		if err != nil {
			w.Dropped.Add("samples of processes beyond the processor limit", int64(len(f.samples)))
			continue
		}
		f.record(pe, codes[i])
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

// record records the samples of a file in the order of their times. codes are the metrics of its events.
func (f *file) record(pe []int32, codes []pair) {
	s := f.w.Rec.Stream(tracer.StreamInfo{Name: f.name})
	slices.SortStableFunc(f.samples, func(a, b sample) int { return cmp.Compare(a.time, b.time) })
	for i := range f.samples {
		one := &f.samples[i]
		m := codes[one.event]
		f.w.Begin(s, pe[one.who], one.time)
		f.w.Sample(s, one.time, pe[one.who], one.context, m.ticks, 1)
		if one.period != 0 {
			f.w.Sample(s, one.time, pe[one.who], one.context, m.period, one.period)
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

// program returns the program and its arguments: the command of perf record, or else the most frequent name of the samples. A recording of other
// processes than the command's, such as perf record -a sleep 10, is named like one without a command.
func program(files []*file) (string, []string) {
	most := map[string]int{}
	best, timer := "", []string(nil)
	for _, f := range files {
		if run := recorded(f.command); len(run) > 0 {
			if !others(f.command) {
				return run[0], run[1:]
			}
			timer = run
		}
		for i := range f.samples {
			name := f.names[f.samples[i].who]
			if strings.HasPrefix(name, ":") || strings.HasPrefix(name, "swapper") || name == "" { // a number in place of a name; idle time
				continue
			}
			if most[name]++; most[name] > most[best] {
				best = name
			}
		}
	}
	if best == "" && len(timer) > 0 {
		return timer[0], timer[1:]
	}
	return best, nil
}

// others reports whether perf record was told to record other processes than those of its command.
func others(line string) bool {
	_, line, _ = strings.Cut(line, " record ")
	line, _, _ = strings.Cut(line+" ", " -- ")
	line = strings.TrimSuffix(strings.Join(strings.Fields(line), " "), strings.Join(recorded("perf record "+line), " "))
	for word := range strings.FieldsSeq(line) {
		long, _, _ := strings.Cut(word, "=")
		switch {
		case long == "--all-cpus", long == "--pid", long == "--tid", long == "--cpu", long == "--uid":
			return true
		case strings.HasPrefix(word, "--"), !strings.HasPrefix(word, "-"):
			continue
		}
		for _, c := range word[1:] {
			if strings.ContainsRune("aptCu", c) {
				return true
			}
			if strings.ContainsRune(valued, c) {
				break
			}
		}
	}
	return false
}

// valued are the options of perf record that have a value.
const valued = "eoFcmptuCGjkDMrW"

// recorded returns the command in the arguments of perf record.
func recorded(line string) []string {
	if _, run, ok := strings.Cut(line, " -- "); ok {
		return strings.Fields(run)
	}
	_, line, _ = strings.Cut(line, " record ")
	words := strings.Fields(line)
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w[0] != '-':
			return words[i:]
		case len(w) == 2 && strings.Contains(valued, w[1:]), w == "--event", w == "--output", w == "--freq", w == "--count", w == "--call-graph", w == "--pid":
			i++ // its value
		}
	}
	return nil
}

// hosts groups the files by host.
func hosts(files []*file) map[string][]*file {
	by := map[string][]*file{}
	for _, f := range files {
		by[f.host] = append(by[f.host], f)
	}
	return by
}
