package tracer

// An Outcome is how a run ended. It is the Value of its Exit events.
type Outcome uint8

// The outcomes.
const (
	Done        Outcome = iota
	Failed              // a deadlock, a goal that failed, or an error at run time
	Limited             // a limit of time, reductions or memory was met
	Interrupted         // the user stopped it
)

var outcomes = [...]string{"done", "failed", "limited", "interrupted"}

func (o Outcome) String() string { return outcomes[min(int(o), len(outcomes)-1)] }
