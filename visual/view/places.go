package view

import "whorl/internal/figures"

// PEName returns the name of the PEs from first to last: PE 3; PEs 0–7.
func PEName(first, last int) string {
	if first == last {
		return "PE " + figures.Count(int64(first))
	}
	return "PEs " + figures.Count(int64(first)) + "–" + figures.Count(int64(last))
}

// PEPlace returns the place of a PE (tracer.Places.Name).
func (r *Run) PEPlace(pe int) string { return r.places.Name(pe) }

// Placed reports whether rows can have the names of places: each PE has one of its own, or is a thread with a name.
func (r *Run) Placed() bool { return r.places.Rows(r.Meta.PEs) }

// Label returns the name of a PE beside its row: its place, where rows can have the names of places, or its number.
func (r *Run) Label(pe int) string {
	if place := r.PEPlace(pe); place != "" && r.Placed() {
		return place
	}
	return PEName(pe, pe)
}

// Row returns the name of a PE in a table of PEs: its place, where rows can have the names of places, or its number alone.
func (r *Run) Row(pe int) string {
	if place := r.PEPlace(pe); place != "" && r.Placed() {
		return place
	}
	return figures.Count(int64(pe))
}

// PEName returns the name of the PEs from first to last with their places: PE 3 (worker 2); PEs 4–7 (worker 3–worker 6).
func (r *Run) PEName(first, last int) string {
	name := PEName(first, last)
	place := r.PEPlace(first)
	if end := r.PEPlace(last); last > first && r.Placed() {
		place += "–" + end
	} else if last > first {
		place = ""
	}
	if place != "" {
		name += " (" + place + ")"
	}
	return name
}

// PEList names some PEs, which are ascending, by their places, or "" where rows cannot have the names of places.
func (r *Run) PEList(pes []int32) string { return r.places.List(pes, r.Meta.PEs) }
