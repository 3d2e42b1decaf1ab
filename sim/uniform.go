package sim

// A uniform network is a bus or all: every other PE is one hop away, and two random PEs serve as neighbours.
type uniform struct {
	name   string
	pes    int
	shared bool
}

func newBus(pes int) Network { return uniform{"bus", pes, true} }
func newAll(pes int) Network { return uniform{"all", pes, false} }

func (n uniform) Name() string       { return n.name }
func (n uniform) PEs() int           { return n.pes }
func (n uniform) Shared() bool       { return n.shared }
func (n uniform) Coords(int) []int32 { return nil }
func (n uniform) diameter() int      { return 1 }

func (n uniform) Distance(a, b int) int {
	if a == b {
		return 0
	}
	return 1
}

func (n uniform) Near(s *Self, k int) int {
	if k > 1 || n.pes == 1 {
		return -1
	}
	return s.Rand.Other(int(s.PE), n.pes)
}

func (n uniform) shell(pe, d, k int) int {
	if k >= n.pes-1 {
		return past
	}
	if k >= pe {
		k++
	}
	return k
}

func (n uniform) Outward(pe int, cursor *uint64) int { return walk(n, pe, cursor) }
