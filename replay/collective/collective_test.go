package collective

import "testing"

// A counter counts messages and receipts by sender and receiver.
type counter struct {
	sent, arrived map[[2]int]int
	ops           int
}

func (c *counter) Send(m int, _ int64, to int) {
	c.sent[[2]int{m, to}]++
	c.ops++
}

func (c *counter) Receive(m int, _ int64, from int) {
	c.arrived[[2]int{from, m}]++
	c.ops++
}

func (c *counter) Swap(m int, bytes int64, to, from int) {
	c.Send(m, bytes, to)
	c.Receive(m, bytes, from)
}

// All messages are received. Their number is bounded before, and closely for operations of many messages.
func TestRun(t *testing.T) {
	for _, algorithm := range Algorithms {
		for kind := range NumKinds {
			for members := 1; members <= 20; members++ {
				c := &counter{map[[2]int]int{}, map[[2]int]int{}, 0}
				Run(kind, algorithm, 400, members, c)
				if most := Most(kind, algorithm, members); c.ops > most || c.ops < most-4*members && kind != Scan {
					t.Errorf("%s, %s of %d: %d operations, at most %d expected", algorithm, kind, members, c.ops, most)
				}
				for pair, n := range c.sent {
					if c.arrived[pair] != n || pair[0] == pair[1] {
						t.Errorf("%s, %s of %d: %d messages from %d to %d, of which %d arrive", algorithm, kind, members, n, pair[0], pair[1], c.arrived[pair])
					}
				}
				if len(c.arrived) != len(c.sent) {
					t.Errorf("%s, %s of %d: messages between %d pairs, receipts of %d", algorithm, kind, members, len(c.sent), len(c.arrived))
				}
			}
		}
	}
}
