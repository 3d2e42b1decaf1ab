package policy

import "whorl/sim"

// Goroutines schedules as the runtime system of Go: new and woken work stays, a PE goes on with the one that it has made
// ready last and then with its oldest, and an idle PE steals the older half of a random victim's queue. It is for replays
// of Go programs, which depend on that order, and not in All.
type Goroutines struct{ StealHalf }

// Traits returns the traits of the order.
func (Goroutines) Traits() sim.Traits { return sim.Traits{Newest: true, Stays: true} }
