package perf

import (
	"slices"
	"sort"
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
	f.mapped[image{pid, path}] = f.mapped[image{pid, path}].with(taken{m.Start, m.Limit, &m})
}

// An image is a file in the memory of a process.
type image struct {
	pid  int64
	path string
}

// A taken range holds the addresses of a mapping that no later one has taken.
type taken struct {
	from, to uint64
	module   *profile.Module
}

// spans are in the order of their addresses, and do not overlap.
type spans []taken

// from returns the first span that ends after an address.
func (all spans) from(address uint64) int {
	return sort.Search(len(all), func(i int) bool { return all[i].to > address })
}

// with returns the spans with another one, which takes its addresses from those that have them.
func (all spans) with(s taken) spans {
	i := all.from(s.from)
	j := i + sort.Search(len(all)-i, func(k int) bool { return all[i+k].from >= s.to })
	put := make(spans, 0, 3)
	if i < j && all[i].from < s.from {
		put = append(put, taken{all[i].from, s.from, all[i].module})
	}
	put = append(put, s)
	if i < j && all[j-1].to > s.to {
		put = append(put, taken{s.to, all[j-1].to, all[j-1].module})
	}
	return slices.Replace(all, i, j, put...)
}

// module returns the module of an address of a process, with its mapping if known.
func (f *file) module(pid int64, address uint64, path string) *profile.Module {
	if path == "" {
		return nil
	}
	all := f.mapped[image{pid, path}]
	if i := all.from(address); i < len(all) && address >= all[i].from {
		return all[i].module
	}
	m, ok := f.modules[path]
	if !ok {
		m = &profile.Module{Path: path}
		f.modules[path] = m
	}
	return m
}
