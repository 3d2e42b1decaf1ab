package replay

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A queue returns tasks in the order in which they came, those that wait again before the others.
func TestQueue(t *testing.T) {
	var q queue
	var want []uint32
	rng := rand.New(rand.NewPCG(1, 1))
	for n := range uint32(1000) {
		switch rng.IntN(5) {
		case 0, 1:
			q.push(n, false)
			want = append(want, n)
		case 2:
			q.push(n, true)
			want = slices.Insert(want, 0, n)
		default:
			if q.empty() != (len(want) == 0) {
				t.Fatalf("after %d steps the queue is empty: %v, of %d tasks", n, q.empty(), len(want))
			}
			if q.empty() {
				continue
			}
			if first, got := q.first(), q.pop(); first != want[0] || got != want[0] {
				t.Fatalf("after %d steps the first is %d and then %d, want %d", n, first, got, want[0])
			}
			want = want[1:]
		}
	}
}
