package wasm

import "whorl/hpfsim/lower"

// A routine is a function of a region: that of the loop, or a procedure that it calls.
//
// Each call has a frame in memory, behind that of its caller. A function keeps its variables in locals. When it returns at a point it saves them in its frame, and
// its callers do the same; when the region goes on, the functions call each other again, and each continues at the point in its frame. A frame is words of
// 8 bytes: the state, scalars, the iterations left and the steps of loops, and the arrays.
type routine struct {
	Scalars []*lower.Symbol
	Arrays  []*lower.Symbol

	unit                  *lower.Unit       // nil for the loop of a region
	number                int               // of the first of its functions
	size                  int               // words of the frame, once all is surveyed
	header                int               // words of the state
	temps                 []*lower.Symbol   // values between the calls of a statement
	loops                 map[*lower.Do]int // their numbers
	points                map[lower.Stmt]pointRange
	callings              map[lower.Stmt]*calling // of this routine only: a loop and the recursive procedure around it have the same statements
	opening               int                     // the point at the begin of a procedure
	globals, globalArrays []*lower.Symbol         // of a procedure: those in the frame of the region; of a region: those that procedures use
	writes                map[*lower.Symbol]bool  // arguments and global variables that the procedure may change
}

// Words of the frame of a region. Those of procedures have the first only.
const (
	wordPoint = iota
	wordIndex // of an element in fault
	wordGiven // elements of an argument in fault
	wordSpent
	wordLimit
	wordNoted // number of notes
	wordNotes // their address
	wordDepth // calls that may nest
	regionHeader
)

func newRoutine(u *lower.Unit) *routine {
	r := &routine{unit: u, header: regionHeader, loops: map[*lower.Do]int{}, points: map[lower.Stmt]pointRange{}, callings: map[lower.Stmt]*calling{}}
	if u != nil {
		r.header = wordPoint + 1
	}
	return r
}

// wordsOfArray returns the number of words of an array: its address, and the lower bound, the extent and the step in bytes of each dimension.
func wordsOfArray(rank int) int { return 1 + 3*rank }

func (r *routine) scalarWord(k int) int { return r.header + k }

func (r *routine) tempWord(k int) int { return r.header + len(r.Scalars) + k }

// storage returns the word where the elements of array k of a procedure begin, 0 if they are elsewhere.
func (r *routine) storage(k int) int {
	if r.unit == nil || r.Arrays[k].Dummy > 0 {
		return 0
	}
	at := r.arrayWord(len(r.Arrays))
	for _, a := range r.Arrays[:k] {
		if a.Dummy == 0 {
			at += storageWords(a)
		}
	}
	return at
}

// storageWords returns the number of words of the elements of an array of a procedure.
func storageWords(a *lower.Symbol) int {
	n, _ := extent(a)
	return (n*sizeOf(a.Type) + wordSize - 1) / wordSize
}

// words returns the number of words of a frame.
func (r *routine) words() int {
	n := r.arrayWord(len(r.Arrays))
	for _, a := range r.Arrays {
		if r.unit != nil && a.Dummy == 0 {
			n += storageWords(a)
		}
	}
	return n
}

func (r *routine) loopWord(k int) int { return r.tempWord(len(r.temps)) + 2*k }

func (r *routine) arrayWord(k int) int {
	at := r.loopWord(len(r.loops))
	for _, a := range r.Arrays[:k] {
		at += wordsOfArray(a.Rank())
	}
	return at
}

// A note records an action of code beyond its limit. It is the number of a segment that was executed, or a negative number: called of a point where a
// procedure was called, or returned of a point where it returned.
func called(point int) int64   { return -2 * int64(point) }
func returned(point int) int64 { return -2*int64(point) - 1 }

// Called reports whether a note is of a call, and Returned whether it is of a return, at a point.
func Called(note int32) (point int, ok bool)   { return int(-note / 2), note < 0 && note%2 == 0 }
func Returned(note int32) (point int, ok bool) { return int(-note / 2), note < 0 && note%2 != 0 }
