package otf2

import (
	"testing"

	"whorl/tracer/testdata/profiletest"
)

// TestLinear reads archives with very many teams that nobody joins, ends of regions that have not begun, communicators, and nodes in each other.
func TestLinear(t *testing.T) {
	for name, write := range map[string]func(a *written, n int){
		"teams": func(a *written, n int) {
			for i := range n {
				a.event(0, uint64(2000+i), ompFork, 2)
				a.event(0, uint64(2000+i), threadTeamBegin, uint64(i))
			}
		},
		"regions": func(a *written, n int) {
			for i := range n {
				a.event(0, uint64(2000+i), enter, regionMain)
			}
			for i := range n {
				a.event(0, uint64(2000+n+i), leave, regionWork)
			}
		},
		"communicators": func(a *written, n int) {
			for i := range n {
				a.define(defComm, 1+i, 5, 1, undefined, 0)
			}
			for i := range 2 * n {
				a.event(0, uint64(2000+i), mpiCollectiveBegin)
				a.event(0, uint64(2000+i), mpiCollectiveEnd, 0, uint64(1+i%n), undefined, 0, 0)
			}
		},
		"nodes": func(a *written, n int) {
			for i := range n {
				a.define(defNode, 10+i, 6, 7, 11+i)
				a.define(defGroupOfPEs, 10+i, 5, byte(1), 10, undefined)
				a.define(defLocation, 10+i, 5, byte(1), 0, 10+i)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			profiletest.Linear(t, 2500, func(n int) {
				a := newWritten(2, 4<<20)
				a.event(0, 1000, enter, regionMain)
				write(a, n)
				if _, _, err := read(t, a.files()); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
	t.Run("clocks", func(t *testing.T) {
		profiletest.Linear(t, 1000, func(n int) {
			a := aligner{r: &reader{}, groups: map[uint32]int{}, least: map[[2]int]int64{}}
			for i := range n {
				a.groups[uint32(i)] = i
				if i > 0 {
					a.least[[2]int{i - 1, i}], a.least[[2]int{i, i - 1}] = 1, 1
				}
			}
			a.shift()
		})
	})
}
