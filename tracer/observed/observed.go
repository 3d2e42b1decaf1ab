// Package observed has the grammar of the logs that package observe writes into the execution traces of Go programs, and of the marks that the
// reader of these traces makes of them.
//
// A log is one operation on one object: a lock, a wait group or a channel. Its category names the operation and the object, and for a channel the
// capacity; its message is the number that the operation has:
//
//	category = "observe " OPERATION " " OBJECT [ " " CAPACITY ]
//	message  = [ NUMBER ]
//
//	observe lock 17            observe send 3 64: 1201
//
// The runtime keeps each category once, but each message as often as it is written. Thus what differs each time is the message.
//
// A mark of the trace (tracer.Mark) has the operation as its Code, an entry of type Name such as "observe lock", and as its Value the object in the
// lower 32 bits and the number in the 31 bits above (Record.Value, FromValue). The Value of an operation without a number is the object.
package observed

import (
	"strconv"
	"strings"
)

// An Op is an operation on an object.
type Op uint8

// The operations. Number is that of the Record; it is 0 where the comment names none.
const (
	Lock    Op = 1 + iota // the task has the lock
	Unlock                // the task is about to release the lock
	RLock                 // the task has the lock for reading
	RUnlock               // the task is about to release the lock for reading
	Add                   // Number is about to be added to the counter
	Done                  // Number, mostly 1, is about to be subtracted from the counter
	Waited                // the wait for a counter of 0 is over
	Send                  // the task is about to send element Number
	Receive               // the task has received element Number, 0 if that was sent before the trace began
	Close                 // the task is about to close the channel
	Drained               // the task has found the channel closed and empty
	Make                  // the channel has the capacity Number. No log says so: the reader makes this mark before the first one of a channel
	NumOps
)

const prefix = "observe "

var names = [NumOps]string{
	"", "lock", "unlock", "rlock", "runlock", "add", "done", "waited", "send", "receive", "close", "drained", "make",
}

// Name returns the name of the marks of an operation, such as "observe lock".
func (o Op) Name() string { return prefix + names[o] }

// Named returns the operation whose marks have a name, false if there is none.
func Named(name string) (Op, bool) {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return 0, false
	}
	o := named(rest)
	return o, o > 0
}

// named returns the operation with a name, 0 for none.
func named(name string) Op {
	for o := Lock; o < NumOps; o++ {
		if names[o] == name {
			return o
		}
	}
	return 0
}

// MostNumber is the largest number. Those who count elements go on with 1 after it.
const MostNumber = 1<<31 - 1

// A Record is an operation on an object.
type Record struct {
	Op       Op
	Object   uint32 // from 1
	Number   uint32 // up to MostNumber
	Capacity uint32 // of a channel, for its operations but Make; up to MostNumber
}

// usual returns the number that an operation has if its message is empty.
func (o Op) usual() uint32 {
	if o == Add || o == Done {
		return 1
	}
	return 0
}

// Category returns the category of the log of a record.
func (r Record) Category() string {
	b := strconv.AppendUint(append(append(make([]byte, 0, 40), r.Op.Name()...), ' '), uint64(r.Object), 10)
	if r.Op >= Send {
		b = strconv.AppendUint(append(b, ' '), uint64(r.Capacity), 10)
	}
	return string(b)
}

// Message returns the message of the log of a record.
func (r Record) Message() string {
	if r.Number == r.Op.usual() {
		return ""
	}
	return strconv.FormatUint(uint64(r.Number), 10)
}

// Decode returns the record of a log, false if the log is not one of package observe.
func Decode(category, message string) (Record, bool) {
	rest, ok := strings.CutPrefix(category, prefix)
	if !ok {
		return Record{}, false
	}
	name, rest, _ := strings.Cut(rest, " ")
	op := named(name)
	r := Record{Op: op, Number: op.usual()}
	object, capacity, hasCapacity := strings.Cut(rest, " ")
	switch {
	case op == 0 || op == Make,
		!parse(object, 1<<32-1, &r.Object) || r.Object == 0,
		hasCapacity != (op >= Send) || hasCapacity && !parse(capacity, MostNumber, &r.Capacity),
		message != "" && !parse(message, MostNumber, &r.Number):
		return Record{}, false
	}
	return r, true
}

// parse sets n to the value of a text of digits, and reports whether it is one up to most.
func parse(text string, most uint64, n *uint32) bool {
	v, err := strconv.ParseUint(text, 10, 32)
	*n = uint32(v)
	return err == nil && v <= most
}

// Value returns the Value of the mark of a record.
func (r Record) Value() int64 { return int64(r.Number&MostNumber)<<32 | int64(r.Object) }

// FromValue returns the object and the number of the Value of a mark. A negative Value is not one of package observe: it has object 0.
func FromValue(v int64) (object, number uint32) {
	if v < 0 {
		return 0, 0
	}
	return uint32(v), uint32(v >> 32)
}
