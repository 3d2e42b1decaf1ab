package view

import (
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
)

// PEName returns the name of the PEs from first to last: PE 3; PEs 0–7.
func PEName(first, last int) string {
	if first == last {
		return "PE " + figures.Count(int64(first))
	}
	return "PEs " + figures.Count(int64(first)) + "–" + figures.Count(int64(last))
}

// A level is a part of the place of a PE.
type level uint8

const (
	host level = 1 << iota
	process
	thread

	whole = host | process | thread
)

// names returns the names of the levels of a place.
func (l level) names(pe *tracer.PE) string {
	var names []string
	for _, n := range [...]struct {
		level
		name string
	}{{host, pe.Host}, {process, pe.Process}, {thread, pe.Thread}} {
		if l&n.level != 0 && n.name != "" {
			names = append(names, n.name)
		}
	}
	return strings.Join(names, " ")
}

// places says which levels tell PEs apart: as few as tell as many PEs apart as all levels do.
type places struct {
	level
	single bool // no two PEs have the same place
}

// mostPlaces is the largest number of PEs whose places are compared.
const mostPlaces = 1 << 14

func newPlaces(pes []tracer.PE) places {
	if len(pes) < 2 || len(pes) > mostPlaces {
		return places{}
	}
	distinct := func(l level) int {
		seen := map[string]bool{}
		for i := range pes {
			seen[l.names(&pes[i])] = true
		}
		return len(seen)
	}
	n := distinct(whole)
	if n == 1 { // what all PEs share tells nothing
		return places{}
	}
	for _, l := range [...]level{thread, process, host, process | thread, host | thread, host | process} {
		if distinct(l) == n {
			return places{l, n == len(pes)}
		}
	}
	return places{whole, n == len(pes)}
}

// PEPlace returns the host, the process or the thread of a PE, or several of them, as far as these tell it from other PEs, "" if they do not.
func (r *Run) PEPlace(pe int) string {
	if pe < 0 || pe >= len(r.Meta.PEInfo) {
		return ""
	}
	return r.places.names(&r.Meta.PEInfo[pe])
}

// Placed reports whether rows can have the names of places: each PE has one of its own, or is a thread with a name.
func (r *Run) Placed() bool {
	return (r.places.single || r.places.level&thread != 0) && len(r.Meta.PEInfo) >= r.Meta.PEs
}

// Label returns the name of a PE beside its row: its place, where rows can have the names of places, or its number.
func (r *Run) Label(pe int) string {
	if place := r.PEPlace(pe); place != "" && r.Placed() {
		return place
	}
	return PEName(pe, pe)
}

// PEName returns the name of the PEs from first to last, with the place of a single PE: PE 3 (worker 2).
func (r *Run) PEName(first, last int) string {
	name := PEName(first, last)
	if place := r.PEPlace(first); first == last && place != "" {
		name += " (" + place + ")"
	}
	return name
}
