package tracer

// An Event is something that happened to a task on a processing element (PE) at an instant. It takes 48 bytes. The Kind determines the
// meaning of Ref, Peer, Code and Value; see its constants.
type Event struct {
	Time  int64  // ns since the start of the run
	Value int64  // the measure
	Task  uint64 // the task concerned
	Ref   uint64 // the other task, or the message
	PE    int32  // the PE on which it happened
	Peer  int32  // the other PE, None for none
	Code  uint32 // entry of the code table (Dict.Code), 0 for none
	Kind  Kind
}

// Values of Event.Peer that name no PE.
const (
	None   int32 = -1 // no other PE
	Inline int32 = -2 // Start and End: the task ran on the stack of the task that joined it; JoinBegin and JoinEnd are implied at the same instants
)

// Kind is the kind of an event.
type Kind uint8

// The kinds of events. A reader skips unknown kinds. The numbers of kinds never change: new kinds go to the end.
const (
	KindInvalid Kind = iota
	Init             // PE begins; Code host or process
	Exit             // PE ends; Code host or process; Value exit status
	Fork             // PE of the parent; Task new; Ref parent; Peer where placed; Code function; Value bytes of the arguments
	Start            // PE runs Task; Ref, inline, joiner (0: the parent); Peer came from or Inline; Code function; Value attempt, from 1
	End              // PE ran Task; Ref as for Start; Peer None or Inline; Code function; Value 0 ok, 1 failed, 2 cancelled
	JoinBegin        // PE and Task of the joiner; Ref joined; Peer where it ended; Code call line
	JoinEnd          // as JoinBegin
	Reduce           // PE commits here; Task goal; Ref parent goal (0: a goal of the query); Peer PE of the parent's reduction; Code clause; Value cost in ns
	Suspend          // PE tried here; Task goal; Ref parent goal; Code procedure; Value cost of the try in ns
	Fail             // as Suspend: no clause can ever commit
	Resume           // PE of the binder; Task resumed; Ref binder, always; Peer where it is queued; Code procedure
	Move             // PE new holder; Task; Ref message or 0; Peer old holder; Code reason (steal, place, migrate); Value bytes
	Send             // PE sender; Task or 0; Ref message; Peer receiver; Code line or message class; Value bytes
	Recv             // PE receiver; Task or 0; Ref message; Peer sender; Code line or message class; Value bytes
	Busy             // PE busy from here on; Task, the thread that runs, or 0; Code reason, or the function of Task
	Idle             // PE idle from here on; Task, a thread that lost the PE, or 0; Code reason (no work, join, message, gc, steal, preempted)
	Overhead         // PE works for the system from here on; Task served, or 0; Code reason
	Sample           // PE sampled; Task running; Ref calling context; Peer its labels, a context of them, or None; Code metric; Value amount
	Counter          // PE; Task object or 0; Code metric; Value
	Mark             // PE; Task; Code name; Ref, Peer and Value free
	Wait             // PE left; Task a thread that waits from here on; Ref calling context or 0; Code reason
	Wake             // PE of the waker, else where the thread ran last; Task a thread that can run again; Ref waker or 0; Code reason if Ref is 0 or inferred
	NumKinds
)

var kindNames = [NumKinds]string{
	"Invalid", "Init", "Exit", "Fork", "Start", "End", "JoinBegin", "JoinEnd", "Reduce", "Suspend", "Fail", "Resume", "Move",
	"Send", "Recv", "Busy", "Idle", "Overhead", "Sample", "Counter", "Mark", "Wait", "Wake",
}

// String returns the kind's name as the text form writes it, or Kind(n) for an unknown kind.
func (k Kind) String() string {
	if k < NumKinds {
		return kindNames[k]
	}
	return "Kind(" + uitoa(uint(k)) + ")"
}

// KindNamed returns the kind with the given name, false if there is none.
func KindNamed(name string) (Kind, bool) {
	for k, n := range kindNames {
		if n == name && k > 0 {
			return Kind(k), true
		}
	}
	return KindInvalid, false
}

// A KindSet is a set of kinds. The kinds from 63 on, all unknown, share one bit.
type KindSet uint64

// AllKinds holds every kind, unknown kinds included.
const AllKinds = ^KindSet(0)

// Kinds returns the set of the given kinds.
func Kinds(ks ...Kind) KindSet {
	var s KindSet
	for _, k := range ks {
		s |= 1 << min(k, 63)
	}
	return s
}

// Contains reports whether k is in the set.
func (s KindSet) Contains(k Kind) bool { return s>>min(k, 63)&1 != 0 }

func uitoa(n uint) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return uitoa(n/10) + string(rune('0'+n%10))
}
