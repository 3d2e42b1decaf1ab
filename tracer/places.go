package tracer

import "strings"

// A level is a part of the place of a PE.
type level uint8

const (
	host level = 1 << iota
	process
	thread

	whole = host | process | thread
)

// names returns the names of the levels of a place.
func (l level) names(pe *PE) string {
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

// Places names the places of PEs by the levels that tell them apart: as few as tell as many PEs apart as all levels do.
type Places struct {
	pes    []PE
	level  level
	single bool // no two PEs have the same place
}

// mostPlaces is the largest number of PEs whose places are compared.
const mostPlaces = 1 << 14

// Places returns the places of the PEs.
func (m *Meta) Places() Places {
	pes := m.PEInfo
	if len(pes) < 2 || len(pes) > mostPlaces {
		return Places{}
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
		return Places{}
	}
	for _, l := range [...]level{thread, process, host, process | thread, host | thread, host | process} {
		if distinct(l) == n {
			return Places{pes, l, n == len(pes)}
		}
	}
	return Places{pes, whole, n == len(pes)}
}

// Name returns the place of a PE: its host, process and thread, without those that do not tell PEs apart. It is "" if none does.
func (p *Places) Name(pe int) string {
	if pe < 0 || pe >= len(p.pes) {
		return ""
	}
	return p.level.names(&p.pes[pe])
}

// Distinct reports whether each PE has a place of its own.
func (p *Places) Distinct() bool { return p.single }

// Rows reports whether the rows of n PEs can have the names of places: each PE has one of its own, or is a thread with a name.
func (p *Places) Rows(n int) bool {
	return (p.single || p.level&thread != 0) && len(p.pes) >= n
}

// List names some PEs of n, which are ascending: each run of consecutive ones by its first and its last. It is "" where rows cannot have the names of
// places.
func (p *Places) List(pes []int32, n int) string {
	if !p.Rows(n) {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(pes); {
		end := i + 1
		for end < len(pes) && pes[end] == pes[end-1]+1 {
			end++
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.Name(int(pes[i])))
		if end > i+1 {
			b.WriteString("–" + p.Name(int(pes[end-1])))
		}
		i = end
	}
	return b.String()
}
