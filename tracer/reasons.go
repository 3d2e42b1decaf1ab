package tracer

// Names of reasons that derivations know. All traces use them for the same; reasons of other names are only shown.
const (
	ReasonNoWork       = "no work"           // Idle: there is nothing to do
	ReasonSteal        = "steal"             // the PE asks another one for work, which moves to it
	ReasonMessage      = "message"           // the PE sends or receives, or a task waits for a message
	ReasonOffCPU       = "off cpu"           // the operating system has given the core of the PE to others
	ReasonSystemCall   = "system call"       // the operating system works for the task
	ReasonExit         = "exit"              // the operating system frees what the task had
	ReasonGC           = "gc"                // garbage is collected
	ReasonStopped      = "stop the world"    // all PEs stand still, for the collector or the recording
	ReasonTracing      = "tracing"           // the trace is recorded
	ReasonPreempted    = "preempted"         // Idle with a task: it could run, but has lost its PE
	ReasonNotRunning   = "not running"       // Idle: the PE does not run the program
	ReasonNotRecorded  = "not recorded"      // Idle: the trace does not say what the PE does
	ReasonAsynchronous = "asynchronous"      // the task stands for work that others do
	ReasonOutside      = "something outside" // Wake: no task of the trace has ended the wait
	ReasonTimer        = "timer"             // Wake: the time of the wait is over
	ReasonInferred     = "inferred"          // Wake: the waker is not in the trace, but follows from what tasks usually do
)

// CollectiveClass is the class of messages that stand for the bytes of collective operations.
const CollectiveClass = "collective"

// CollectiveMark is the beginning of the name of a Mark at which a task begins a collective operation, such as "collective
// allreduce". Its Ref is a number that the marks of all members of the operation have, its Peer the PE of the root, if there is one, and its
// Value the bytes that the task sends, or receives from the root; 0 for the root itself.
const CollectiveMark = "collective "
