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

// PEName returns the name of the PEs from first to last, with the place of a single PE: PE 3 (worker 2).
func (r *Run) PEName(first, last int) string {
	name := PEName(first, last)
	if place := r.PEPlace(first); first == last && place != "" {
		name += " (" + place + ")"
	}
	return name
}
