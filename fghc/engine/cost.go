package engine

// Costs are what the parts of a reduction cost, in abstract instructions; a machine's speed turns them into time. docs/cost-model.md says
// what each one stands for. They are counted as the engine does the work, so that a longer term or one test more costs what it says here.
type Costs struct {
	Try     int64 // to take a goal and load its arguments
	Test    int64 // a switch, a guard test or a comparison
	Load    int64 // a component of a matched structure
	Arith   int64 // an operation on integers of one word
	Limb    int64 // in addition, each 64-bit word of the result of one with arbitrary precision
	Commit  int64
	Build   int64 // a word of a new term, variables included
	Unify   int64 // a pair of terms compared or made equal
	Goal    int64 // a goal pushed, and
	Arg     int64 // each argument of one
	Hook    int64 // a variable that a goal begins to wait for
	Resume  int64 // a goal made ready
	Message int64 // a message made or taken in, and
	Word    int64 // each word of a term copied into one
}

// CostModel names the weights of DefaultCosts in a trace; another number stands for other weights.
const CostModel = "fghc 1"

// DefaultCosts returns the costs that the simulated machine counts with.
func DefaultCosts() Costs {
	return Costs{
		Try: 4, Test: 2, Load: 1, Arith: 2, Limb: 1, Commit: 4, Build: 1, Unify: 2, Goal: 4, Arg: 1,
		Hook: 6, Resume: 4, Message: 10, Word: 1,
	}
}

// Lengths of what goes over a network, in bytes. A term's words have 8 bytes each; chunkWords of one term travel in one message, the rest
// stays behind and is asked for when somebody looks at it.
const (
	wordBytes   = 8
	headerBytes = 16
	goalBytes   = 24 // what a goal is, without its arguments
	chunkWords  = 256
)
