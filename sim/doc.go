// Package sim is the simulated machine: P processing elements (PEs) in virtual time, joined by a network, under a
// scheduling policy.
//
// A substrate (a language, a thread library) hands its work to the machine as handles and executes it when Step is
// called. The machine decides where and when. A step is atomic at the time it begins: it reads, binds and records then.
// Its cost is spent afterwards, and other PEs see its spawned, woken and sent goals only when the cost is spent. So every
// action happens at one instant, actions occur in order of time and PE, and the single stream of events is sorted.
//
// The loop is sequential. The same program, configuration and seed give the same bytes on every processor: there is no
// wall clock and no map order, time is an integer with the remainder carried, and the random numbers are the package's
// own.
//
// # The loop
//
// New makes a machine from a Config and a Program, Advance runs it for a number of steps, and Stats counts. The loop
// takes PEs in order of time<<bits(P-1)|pe and lets each run up to the clock of the next one. The machine counts work
// that is ready, running and in transit, and ends at zero. Idle PEs that want work sleep and are woken: polling by a
// million thieves costs 60 times the work itself. A PE that was asked as often as it has work is not offered to
// further thieves; without this rule, 100,000 PEs made 163 million failed attempts.
//
// # Determinism
//
// Random numbers are PCG streams seeded by (seed, PE), with a bounded draw of our own. Go may fuse a multiplication
// with an addition on some processors, so floats on the way to an answer or a trace are rounded explicitly:
// float64(x*y) + z.
//
// # Networks and costs
//
// The networks are bus (shared memory), all (uniform), ring, mesh2d, mesh3d, torus2d, torus3d, hypercube and fattree.
// Costs follow LogGP: latency for each hop, overhead, gap, and gap for each byte. On bus and all the neighbours of a PE
// are two random PEs. The substrate counts computation in abstract instructions, and the machine's speed scales them.
// docs/cost-model.md has the formula.
//
// # Policies
//
// A policy places spawned work (Place) and answers an idle PE (Idle): ask a PE, ask the central queue, ask later, or ask
// no PE (Nobody). A PE that asks later sleeps until a PE offers work. A PE that asks no PE wakes only for work sent to
// it. The two answers differ because waking every waiting PE at every spawn is a cost that policies without requests
// should not pay. Self holds all state of a policy; a View describes PEs, load, distance, neighbours and offers. Where a
// policy places work, FGHC places every body goal, the first one too; where work stays, the first body goal goes on in
// place. Traits.Goals changes the order of body goals, and the place of resumed ones; on-demand has options for it.
package sim
