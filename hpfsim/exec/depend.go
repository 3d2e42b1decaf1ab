package exec

// apart reports whether a nest computes the same as iterations one by one: each statement reads the values that earlier
// iterations wrote, and the last write to each element is the same. It compares references by the elements that they
// access, so that it finds arguments that are the same array.
func (n *nest) apart(s *nestState) bool {
	for _, st := range n.stores {
		for k, r := range n.refs {
			if k == st.ref {
				continue
			}
			if r.write {
				if k > st.ref && !ordered(&s.places[st.ref], &s.places[k], st.stmt, r.stmt, s, true) {
					return false
				}
			} else if !ordered(&s.places[st.ref], &s.places[k], st.stmt, r.stmt, s, false) {
				return false
			}
		}
	}
	return true
}

// ordered reports whether a write by w and a later read or write by r happen in the same order in chunks as in
// iterations. If both move by the same steps, iteration t of w accesses the same element as iteration t + d of r, for
// a constant d.
func ordered(w, r *place, wrote, read int, s *nestState, both bool) bool {
	if never(w, r, s.counts) {
		return true
	}
	for l := range w.strides {
		if w.strides[l] != r.strides[l] && s.counts[l] > 1 {
			return false
		}
	}
	between := w.line - r.line
	if w.step == 0 {
		return between != 0
	}
	if between%w.step != 0 {
		return true
	}
	d := between / w.step
	switch {
	case d == 0, max(d, -d) >= min(s.counts[len(s.counts)-1], chunkLength):
		return true
	case d > 0:
		return wrote < read
	}
	return !both && wrote >= read
}

// ahead reports whether every element is read before it is written, as array assignments and FORALL require.
func (n *nest) ahead(s *nestState) bool {
	w := &s.places[n.stores[0].ref]
	span, forward := 0, true // the addresses ascend from iteration to iteration
	for l := len(w.strides) - 1; l >= 0; l-- {
		if s.counts[l] > 1 {
			forward = forward && w.strides[l] > span
			span += w.strides[l] * (s.counts[l] - 1)
		}
	}
	for k, r := range n.refs {
		if r.write || never(w, &s.places[k], s.counts) {
			continue
		}
		p := &s.places[k]
		same := true
		for l := range w.strides {
			same = same && (w.strides[l] == p.strides[l] || s.counts[l] == 1)
		}
		if !same || p.line != w.line && !(forward && p.line > w.line) {
			return false
		}
	}
	return true
}

// alone reports whether no iteration reads an element that another one writes, so that iterations may run in any order.
func (n *nest) alone(s *nestState) bool {
	w := &s.places[n.stores[0].ref]
	for k, r := range n.refs {
		p := &s.places[k]
		if r.write || never(w, p, s.counts) {
			continue
		}
		for l := range w.strides {
			if w.strides[l] != p.strides[l] && s.counts[l] > 1 {
				return false
			}
		}
		if p.line != w.line {
			return false
		}
	}
	return true
}

// never reports whether two references never access the same element.
func never(a, b *place, counts []int) bool {
	if !overlap(a.a, b.a) {
		return true
	}
	if a.a == b.a {
		for d := range a.lo {
			if d < len(b.lo) && (a.hi[d] < b.lo[d] || b.hi[d] < a.lo[d]) {
				return true
			}
		}
	}
	lo1, hi1 := a.spans(counts)
	lo2, hi2 := b.spans(counts)
	return hi1 < lo2 || hi2 < lo1
}

// spans returns the range of elements that a reference accesses.
func (p *place) spans(counts []int) (lo, hi int) {
	lo, hi = p.line, p.line
	for l, by := range p.strides {
		if by < 0 {
			lo += by * (counts[l] - 1)
		} else {
			hi += by * (counts[l] - 1)
		}
	}
	return lo, hi
}
