package deque

import (
	"runtime"
	"slices"
	"sync"
	"testing"
)

// A thing is an entry: its index, or NoIndex.
type thing struct{ index uint32 }

// empty returns an empty deque, whose things know their indices.
func empty() *Deque[thing] {
	d := new(Deque[thing])
	d.Init(func(_ uint32, t *thing) { t.index = NoIndex }, func(t *thing, i uint32) { t.index = i })
	return d
}

// add adds a new thing.
func add(d *Deque[thing]) *thing {
	t := &thing{d.Room()}
	d.Add(t)
	return t
}

// share answers a request, as a fork does.
func share(d *Deque[thing]) {
	if d.Requested() {
		d.Share(true)
	}
}

// A thief that takes half of a long deque and keeps all of it in its own deque, and those who steal from it, find each
// entry again.
func TestHalfIsKept(t *testing.T) {
	for _, n := range []int{2, 3, 8, 20, 200} {
		victim := empty()
		thief := empty()
		there := map[*thing]bool{}
		for range n {
			there[add(victim)] = true
			victim.Share(true)
		}
		for _, d := range [][2]*Deque[thing]{{thief, victim}, {victim, thief}, {thief, victim}} {
			loot, _ := d[1].Steal(nil, (d[1].Shown()+1)/2)
			for i, x := range loot {
				if i == 0 {
					delete(there, x)
					continue
				}
				d[0].Add(x)
				d[0].Share(true)
			}
		}
		for _, d := range []*Deque[thing]{victim, thief} {
			for x := d.Newest(); x != nil; x = d.Newest() {
				if !there[x] {
					t.Fatalf("%d: an entry appears twice", n)
				}
				delete(there, x)
			}
		}
		if len(there) > 0 {
			t.Errorf("%d entries: %d are lost", n, len(there))
		}
	}
}

// Thieves steal from a deque while it grows. Each entry goes to one thief or back to the owner, once.
func TestGrowsUnderThieves(t *testing.T) {
	const entries, thieves = 20_000, 2
	owner := empty()
	var stolen [thieves][]*thing
	var wait sync.WaitGroup
	done := make(chan struct{})
	for i := range stolen {
		wait.Go(func() {
			for ended := false; !ended; {
				select {
				case <-done:
					ended = true
				default:
				}
				stolen[i], _ = owner.Steal(stolen[i], 1+9*i)
				runtime.Gosched()
			}
		})
	}
	all := map[*thing]bool{}
	for range entries {
		all[add(owner)] = true
		share(owner)
	}
	close(done)
	wait.Wait()
	for x := owner.Newest(); x != nil; x = owner.Newest() {
		if !all[x] {
			t.Fatal("the owner reclaimed an entry twice, or a wrong one")
		}
		delete(all, x)
	}
	for _, x := range slices.Concat(stolen[:]...) {
		if !all[x] {
			t.Fatal("a stolen entry was already reclaimed or stolen")
		}
		delete(all, x)
	}
	if len(all) > 0 {
		t.Errorf("%d of %d entries are lost", len(all), entries)
	}
}

// An owner that reclaims entries in the order of their addition leaves public entries to thieves. It does not take
// them back at the next Reclaim.
func TestJoinedInOrder(t *testing.T) {
	const entries = 16
	owner := empty()
	var things [entries]*thing
	for i := range things {
		things[i] = add(owner)
		if i == 0 {
			owner.Share(true)
		}
	}
	owned := 0
	stolen := map[*thing]bool{}
	for _, x := range things {
		owner.Share(false) // a thief has set a request
		if stolen[x] {
			continue
		}
		if !owner.Reclaim(x.index, x) {
			t.Fatal("the owner cannot reclaim an entry that was not stolen")
		}
		owned++
		if loot, _ := owner.Steal(nil, 1); len(loot) == 1 && !stolen[loot[0]] {
			stolen[loot[0]] = true
		} else if owned+len(stolen) < entries {
			t.Fatalf("%d entries reclaimed, %d stolen; the next Steal got %d", owned, len(stolen), len(loot))
		}
	}
	if owned != entries/2 || len(stolen) != entries/2 {
		t.Errorf("%d reclaimed, %d stolen", owned, len(stolen))
	}
}

// A request is answered at the next Add, even if the owner handled it in between without private entries.
func TestRequestIsKept(t *testing.T) {
	owner := empty()
	steal := func() int {
		loot, _ := owner.Steal(nil, 1)
		return len(loot)
	}
	add(owner)
	share(owner)
	if steal() != 1 || steal() != 0 {
		t.Fatal("the only entry was not stolen exactly once")
	}
	owner.Share(false) // as a join does
	add(owner)
	share(owner)
	if steal() != 1 {
		t.Error("an entry added after a stolen one cannot be stolen")
	}
}

// Ask, Shown, Empty and All describe the deque to others.
func TestDescribed(t *testing.T) {
	d := empty()
	if !d.Empty() || d.Ask() || d.Shown() != 0 || d.All() != nil {
		t.Error("an empty deque has entries")
	}
	a := add(d)
	d.Share(true)
	b := add(d)
	if d.Empty() || !d.Ask() || d.Shown() != 1 || !slices.Equal(d.All(), []*thing{b, a}) {
		t.Errorf("one public entry and a private one: %d are public", d.Shown())
	}
	if loot, _ := d.Steal(nil, 1); !slices.Equal(loot, []*thing{a}) || d.Shown() != 0 {
		t.Errorf("stole %d, %d more are public", len(loot), d.Shown())
	}
	if d.Requested() || d.Ask() || !d.Requested() {
		t.Error("Ask sets no request of a deque with private entries only")
	}
	if d.Share(true); !d.Ask() || !slices.Equal(d.All(), []*thing{b}) {
		t.Error("a request is not answered")
	}
}

// The owner pops private entries, the newest first, unless a thief asks.
func TestPop(t *testing.T) {
	d := empty()
	add(d)
	d.Share(true)
	a, b := add(d), add(d)
	if d.Pop(a) || !d.Pop(b) || !d.Pop(a) {
		t.Error("the newest entry is not popped first")
	}
	a = add(d)
	d.Request()
	if d.Pop(a) || !d.Reclaim(a.index, a) || d.Reclaim(a.index, a) {
		t.Error("an entry is popped in spite of a request, or not reclaimed once")
	}
	if x := d.Newest(); x == nil || x.index != NoIndex || d.Newest() != nil {
		t.Error("the newest entry is not detached")
	}
}

// A deque with holes moves its entries together before it grows.
func TestMoves(t *testing.T) {
	d := empty()
	var kept []*thing
	add(d)
	d.Share(true)
	for len(kept) < 10 {
		x, y := add(d), add(d)
		d.Reclaim(x.index, x)
		kept = append(kept, y)
	}
	for range firstEntries {
		kept = append(kept, add(d))
	}
	for i, x := range kept {
		if x.index >= 2*firstEntries || d.entries[x.index] != x {
			t.Fatalf("entry %d does not lie at its index %d", i, x.index)
		}
	}
	if len(d.entries) != 2*firstEntries || d.Shown() != 1 {
		t.Errorf("room for %d, %d public", len(d.entries), d.Shown())
	}
	if i, ok := d.Head(); !ok || i != firstEntries+11 {
		t.Errorf("the next index is %d, room: %v", i, ok)
	}
}
