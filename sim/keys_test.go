package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The queue yields keys like a sorted list, if new keys are not before the time of the last key popped.
func TestKeysComeOutInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const bits = 4
		var q keys
		var want []uint64
		now := uint64(0)
		for range rapid.IntRange(1, 300).Draw(t, "operations") {
			if len(want) > 0 && rapid.IntRange(0, 2).Draw(t, "operation") == 0 {
				slices.Sort(want)
				if got := q.peek(); got != want[0] {
					t.Fatalf("peek %d, want %d", got, want[0])
				}
				if got := q.pop(); got != want[0] {
					t.Fatalf("pop %d, want %d", got, want[0])
				}
				now, want = want[0]>>bits, want[1:]
				continue
			}
			later := rapid.SampledFrom([]uint64{0, 0, 1, 3, 1000, 1 << 40}).Draw(t, "later")
			k := (now+later)<<bits | rapid.Uint64Range(0, 1<<bits-1).Draw(t, "actor")
			q.push(k)
			want = append(want, k)
		}
		slices.Sort(want)
		for _, w := range want {
			if got := q.pop(); got != w {
				t.Fatalf("pop %d, want %d", got, w)
			}
		}
		if q.peek() != noKey {
			t.Fatalf("%d left in an empty queue", q.peek())
		}
	})
}

func TestOffersFindTheNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 63, 64, 65, 4096, 4097, 300_000, MaxPEs}).Draw(t, "PEs")
		o := newOffers(n)
		in := map[int]bool{}
		for range rapid.IntRange(0, 40).Draw(t, "changes") {
			i := rapid.IntRange(0, n-1).Draw(t, "PE")
			on := rapid.Bool().Draw(t, "in")
			o.set(int32(i), on)
			if delete(in, i); on {
				in[i] = true
			}
		}
		members := make([]int, 0, len(in))
		for i := range in {
			members = append(members, i)
		}
		slices.Sort(members)
		from := rapid.IntRange(0, n).Draw(t, "from")
		want := -1
		if k, _ := slices.BinarySearch(members, from); k < len(members) {
			want = members[k]
		}
		if got := o.from(from); got != want {
			t.Fatalf("from(%d) = %d, want %d of %v", from, got, want, members)
		}
	})
}

// An inbox yields envelopes in order of arrival, and those with the same arrival time in sending order.
func TestInboxIsInOrderOfArrival(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var o post
		var root uint32
		type letter struct {
			time Time
			id   uint64
		}
		var want []letter
		take := func() {
			slices.SortStableFunc(want, func(a, b letter) int { return int(a.time - b.time) })
			i := root
			root = o.remove(root)
			if got := (letter{o.e[i].time, o.e[i].Data}); got != want[0] {
				t.Fatalf("got %v, want %v", got, want[0])
			}
			o.release(i)
			want = want[1:]
		}
		for id := range rapid.IntRange(1, 200).Draw(t, "letters") {
			time := rapid.Int64Range(0, 9).Draw(t, "time")
			root = o.insert(root, o.add(envelope{time: time, Message: Message{Data: uint64(id)}}))
			want = append(want, letter{time, uint64(id)})
			if rapid.IntRange(0, 3).Draw(t, "take") == 0 {
				take()
			}
		}
		for len(want) > 0 {
			take()
		}
		if root != 0 {
			t.Fatal("the inbox is not empty")
		}
		if most := uint32(len(o.e)); most > 201 {
			t.Fatalf("%d envelopes for 200 letters: they are not reused", most)
		}
	})
}

func TestDequeIsAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ws works
		var q [2]deque
		var want [2][]Work
		for id := range rapid.IntRange(1, 200).Draw(t, "operations") {
			i := rapid.IntRange(0, 1).Draw(t, "queue")
			n := len(want[i])
			switch op := rapid.IntRange(0, 3).Draw(t, "operation"); {
			case op == 0 && n > 0:
				if got := ws.oldest(&q[i]).work; got != want[i][0] {
					t.Fatalf("oldest %d, want %d", got, want[i][0])
				}
				want[i] = want[i][1:]
			case op == 1 && n > 0:
				if got := ws.newest(&q[i]).work; got != want[i][n-1] {
					t.Fatalf("newest %d, want %d", got, want[i][n-1])
				}
				want[i] = want[i][:n-1]
			default:
				ws.push(&q[i], Work(id+1), 0, 0)
				want[i] = append(want[i], Work(id+1))
			}
			if int(q[i].n) != len(want[i]) {
				t.Fatalf("length %d, want %d", q[i].n, len(want[i]))
			}
		}
	})
}
