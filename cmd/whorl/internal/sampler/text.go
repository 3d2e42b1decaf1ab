package sampler

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
)

// mark is the least of the addresses in a stack that are marks between the kernel and the program.
const mark = ^uint64(4094)

// kernel is the least address of the kernel.
const kernel = 1 << 63

// A writer writes records as perf script does.
type writer struct {
	out      *bufio.Writer
	symbols  symbols
	comms    map[int32]string    // by thread
	mappings map[int32][]mapping // by process, ascending; those of later records take the place of earlier ones
	pending  []record            // in no order
	settled  uint64              // records before this time are all here
}

// A mapping is a part of a file that a process executes.
type mapping struct {
	from, to, offset uint64
	path             string
}

func newWriter(out io.Writer, s symbols) *writer {
	return &writer{out: bufio.NewWriter(out), symbols: s, comms: map[int32]string{}, mappings: map[int32][]mapping{}}
}

// round takes the records of one reading of all buffers. It writes those that are not newer than the newest record of the reading before: a CPU writes
// its records in order, so no older ones can come. The last call writes all.
func (w *writer) round(records []record, last bool) {
	newest := w.settled
	for i := range records {
		newest = max(newest, records[i].time)
	}
	w.pending = append(w.pending, records...)
	slices.SortStableFunc(w.pending, func(a, b record) int { return cmp.Compare(a.time, b.time) })
	n := len(w.pending)
	if !last {
		n = sort.Search(n, func(i int) bool { return w.pending[i].time > w.settled })
	}
	for i := range w.pending[:n] {
		w.write(&w.pending[i])
	}
	w.pending = append(w.pending[:0], w.pending[n:]...)
	w.settled = newest
}

func (w *writer) write(r *record) {
	switch r.kind {
	case recordComm:
		w.comms[r.tid] = r.text
		if r.exec {
			delete(w.mappings, r.pid)
		}
	case recordFork:
		if r.tid == r.pid { // a process; a thread is named by a record of its own
			for _, m := range w.mappings[r.parent] {
				w.mapped(r, m)
			}
			w.comms[r.tid] = w.comms[r.parent]
		} else if w.comms[r.tid] == "" {
			w.comms[r.tid] = w.comms[r.pid]
		}
	case recordMmap2:
		w.mapped(r, mapping{r.from, r.from + r.length, r.offset, r.text})
	case recordLost:
		w.head(r)
		fmt.Fprintf(w.out, "PERF_RECORD_LOST lost %d\n", r.lost)
	case recordSample:
		w.head(r)
		fmt.Fprintf(w.out, "%d cpu-clock:\n", r.period)
		for _, address := range r.callers {
			if address < mark {
				w.frame(r.pid, address)
			}
		}
		fmt.Fprintln(w.out)
	}
}

// head writes the fields that all records have.
func (w *writer) head(r *record) {
	comm := strings.Map(func(c rune) rune {
		if c < ' ' {
			return '?'
		}
		return c
	}, cmp.Or(w.comms[r.tid], ":"+fmt.Sprint(r.tid)))
	fmt.Fprintf(w.out, "%s %d/%d [%03d] %d.%09d: ", comm, r.pid, r.tid, r.cpu, r.time/1e9, r.time%1e9)
}

// mapped notes a mapping of the process of a record.
func (w *writer) mapped(r *record, m mapping) {
	all := w.mappings[r.pid]
	var rest []mapping
	for _, old := range all { // what is left of those that it covers
		if old.from < m.from {
			before := old
			before.to = min(old.to, m.from)
			rest = append(rest, before)
		}
		if old.to > m.to {
			after := old
			if after.from < m.to {
				after.offset, after.from = after.offset+m.to-after.from, m.to
			}
			rest = append(rest, after)
		}
	}
	rest = append(rest, m)
	slices.SortFunc(rest, func(a, b mapping) int { return cmp.Compare(a.from, b.from) })
	w.mappings[r.pid] = rest
	if strings.ContainsAny(m.path, "\n\r") {
		return
	}
	w.head(r)
	fmt.Fprintf(w.out, "PERF_RECORD_MMAP2 %d/%d: [%#x(%#x) @ %#x 00:00 0 0]: r-xp %s\n", r.pid, r.pid, m.from, m.to-m.from, m.offset, m.path)
}

// frame writes an address of a stack.
func (w *writer) frame(pid int32, address uint64) {
	module, name, offset := "", "", uint64(0)
	if address >= kernel {
		module = "[kernel.kallsyms]"
		name, offset = w.symbols.kernel(address)
	} else {
		all := w.mappings[pid]
		i := sort.Search(len(all), func(i int) bool { return all[i].to > address })
		if i < len(all) && all[i].from <= address {
			module = all[i].path
		}
		if module == "" || !strings.HasPrefix(module, "/") || strings.HasPrefix(module, "//anon") {
			if compiled, within := w.symbols.compiled(pid, address); compiled != "" {
				module, name, offset = fmt.Sprintf("/tmp/perf-%d.map", pid), compiled, within
			}
		}
	}
	if name == "" {
		fmt.Fprintf(w.out, "\t%x [unknown] (%s)\n", address, cmp.Or(module, "[unknown]"))
		return
	}
	fmt.Fprintf(w.out, "\t%x %s+%#x (%s)\n", address, name, offset, module)
}
