package sim

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A queue with ranks yields its works in the order of a list that is searched linearly.
func TestRanks(t *testing.T) {
	type entry struct {
		work Work
		rank int64
	}
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		ranks := map[Work]int64{}
		ws := works{rank: func(w Work) int64 { return ranks[w] }, bands: map[*deque][]band{}}
		var q deque
		var model []entry // the oldest first
		take := func(newest bool) Work {
			at := 0
			for i, e := range model {
				if e.rank > model[at].rank || newest && e.rank == model[at].rank {
					at = i
				}
			}
			w := model[at].work
			model = slices.Delete(model, at, at+1)
			return w
		}
		for w := Work(1); w < 300; w++ {
			ranks[w] = int64(r.IntN(1 + int(seed)%6))
			if r.IntN(4) == 0 {
				var last deque
				ws.push(&last, w, uint64(w), 0)
				ws.sink(&q, &last)
				model = slices.Insert(model, 0, entry{w, ranks[w]})
			} else {
				ws.enqueue(&q, w, uint64(w), 0)
				model = append(model, entry{w, ranks[w]})
			}
			for len(model) > 0 && r.IntN(5) < 2 {
				newest := r.IntN(2) == 0
				got := ws.best(&q, newest)
				if want := take(newest); got.work != want {
					t.Fatalf("seed %d: newest %v gives %d of rank %d, expected %d of rank %d", seed, newest, got.work, ranks[got.work], want, ranks[want])
				}
			}
			if int(q.n) != len(model) {
				t.Fatalf("seed %d: %d works, expected %d", seed, q.n, len(model))
			}
		}
		for _, newest := range []bool{false, true} {
			order := ws.inOrder(&q, newest, 1000)
			left := slices.Clone(model)
			for _, i := range order {
				if want := take(newest); ws.e[i].work != want {
					t.Fatalf("seed %d: newest %v lists %d, expected %d", seed, newest, ws.e[i].work, want)
				}
			}
			model = left
		}
	}
}
