package engine

// Costs are the costs of the parts of a reduction, in abstract instructions. The speed of a machine turns them into time.
// docs/cost-model.md describes each of them.
type Costs struct {
	Try     int64 // taking a goal; its arguments cost a Load each
	Test    int64 // a switch, a guard test or a comparison
	Load    int64 // an argument of a goal, or a component of a matched structure
	Arith   int64 // an operation on integers of one word
	Limb    int64 // in addition, each 64-bit word of a result of arbitrary precision
	Commit  int64
	Build   int64 // a word of a new term or a new variable
	Unify   int64 // a pair of terms compared or unified
	Goal    int64 // pushing a goal, and
	Arg     int64 // each of its arguments
	Hook    int64 // a variable that a goal begins to wait for
	Resume  int64 // a goal made ready
	Message int64 // sending or receiving a message, and
	Word    int64 // each word of a term copied into one
}

// CostModel names the weights of DefaultCosts in a trace. Its number changes with the weights.
const CostModel = "fghc 1"

// DefaultCosts returns the costs of the simulated machine.
func DefaultCosts() Costs {
	return Costs{
		Try: 4, Test: 2, Load: 1, Arith: 2, Limb: 1, Commit: 4, Build: 1, Unify: 2, Goal: 4, Arg: 1,
		Hook: 6, Resume: 4, Message: 10, Word: 1,
	}
}

// Sizes of messages in bytes. One message carries at most chunkWords words of a term; the receiver fetches the rest
// when it is needed.
const (
	wordBytes   = 8
	headerBytes = 16
	goalBytes   = 24 // a goal without its arguments
	chunkWords  = 256
)
