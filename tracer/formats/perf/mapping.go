package perf

import (
	"strconv"
	"strings"

	"whorl/tracer/formats/profile"
)

// mostMaps bounds the number of mappings of all processes.
const mostMaps = 1 << 16

// event handles the records other than samples: names of threads, mappings, and counts of lost samples. It ignores all others.
func (f *file) event(h *header) {
	kind, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(h.event+" "+h.rest), "PERF_RECORD_"), " ")
	switch strings.TrimSuffix(kind, ":") {
	case "MMAP", "MMAP2":
		f.mapping(rest)
	case "LOST", "LOST_SAMPLES":
		if fields := strings.Fields(rest); len(fields) > 0 {
			if n, err := strconv.ParseInt(fields[len(fields)-1], 10, 64); err == nil && n > 0 {
				f.w.Dropped.Add("samples lost by perf", n)
			}
		}
	}
}

// mapping parses pid/tid: [start(length) @ offset ...]: rights path.
func (f *file) mapping(s string) {
	who, rest, ok := strings.Cut(s, ": [")
	pid, _, isWho := ids(who)
	where, what, closed := strings.Cut(rest, "]: ")
	span, more, at := strings.Cut(where, " @ ")
	start, length, open := strings.Cut(span, "(")
	fields := strings.Fields(more)
	_, path, _ := strings.Cut(what, " ")
	if !ok || !isWho || !closed || !at || !open || len(fields) == 0 || path == "" || f.maps == mostMaps {
		return
	}
	hex := func(s string) uint64 {
		n, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimSuffix(s, ")"), "0x"), 16, 64)
		if err != nil {
			return 0
		}
		return n
	}
	m := profile.Module{Path: path, Start: hex(start), Offset: hex(fields[0])}
	m.Limit = m.Start + hex(length)
	if len(fields) == 2 && strings.HasPrefix(fields[1], "<") {
		m.BuildID = strings.Trim(fields[1], "<>")
	}
	if m.Limit <= m.Start {
		return
	}
	f.maps++
	f.mapped[pid] = append(f.mapped[pid], &m)
}

// module returns the module of an address of a process, with its mapping if known.
func (f *file) module(pid int64, address uint64, path string) *profile.Module {
	if path == "" {
		return nil
	}
	for i := len(f.mapped[pid]) - 1; i >= 0; i-- { // the latest mapping wins
		if m := f.mapped[pid][i]; m.Path == path && address >= m.Start && address < m.Limit {
			return m
		}
	}
	m, ok := f.modules[path]
	if !ok {
		m = &profile.Module{Path: path}
		f.modules[path] = m
	}
	return m
}
