package dts

import "testing"

// A thief who takes half of a long deque has all of it in his own: he finds each thread again, and so do others who steal it from him.
func TestHalfIsKept(t *testing.T) {
	for _, n := range []int{2, 3, 8, 20, 200} {
		var victim, thief Worker
		sys := &system{}
		e := &stacked{system: sys}
		for _, w := range []*Worker{&victim, &thief} {
			w.sys = sys
			w.deque.init(w.leave)
		}
		there := map[*thread]bool{}
		for range n {
			x := &thread{owner: &Worker{}} // of a third PE, so that its memory is nobody's here
			there[x] = true
			victim.keep(x)
			victim.share(true)
		}
		for _, w := range []*Worker{&thief, &victim, &thief} {
			from := &victim
			if w == &victim {
				from = &thief
			}
			if got := e.rob(w, from, true); got != nil {
				delete(there, got)
			}
		}
		for _, w := range []*Worker{&victim, &thief} {
			for x := w.newest(); x != nil; x = w.newest() {
				if !there[x] {
					t.Fatalf("%d: a thread comes twice", n)
				}
				delete(there, x)
			}
		}
		if len(there) > 0 {
			t.Errorf("%d threads: %d are lost", n, len(there))
		}
	}
}
