// Package goal reads and writes schedules in GOAL, the Group Operation Assembly Language (T. Hoefler, C. Siebert, A.
// Lumsdaine: "Group Operation Assembly Language - A Flexible Way to Express Collective Communication", 2009), in the text
// form of the simulator LogGOPSim.
//
//	num_ranks 2
//	rank 0 {
//	l1: calc 1000                  // ns
//	l2: send 10b to 1 tag 7        // 10 bytes
//	l2 requires l1                 // l2 begins when l1 has ended
//	}
//	rank 1 {
//	l1: recv 10b from 0 tag 7      // from -1: from any rank; tag -1: any tag
//	l2: calc 500 cpu 0
//	l2 irequires l1                // l2 begins when l1 has begun: when it waits for the message
//	}
//
// A label may be left out, and belongs to its rank. A tag is 0 if it is left out. An operation and a requirement end
// with the line. Comments are /* */ and //. Operations have a cpu and a nic, 0 by default, which are read and not used: a
// rank is one PE.
package goal

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"whorl/internal/fault"
	"whorl/internal/lines"
	"whorl/internal/nearest"
	"whorl/replay"
	"whorl/replay/schedule"
	"whorl/sim"
)

// Limits of what a schedule may hold.
const (
	maxLine  = 1 << 16
	maxBytes = 1 << 50   // of a message
	maxTag   = 1<<32 - 2 // LogGOPSim has 32 bits for tags
	maxUnit  = 1<<8 - 1  // cpu and nic
)

// Known reports whether a file that begins with head is a schedule in GOAL: its first word is num_ranks.
func Known(head []byte) bool {
	p := parser{in: lines.New(bytes.NewReader(head), maxLine)}
	return p.next() == nil && p.word == numRanks
}

// Read reads a schedule. Errors use name for it. elsewhere is the number of operations that another cpu or nic than the
// first performs.
func Read(name string, r io.Reader) (s *schedule.Schedule, elsewhere int64, err error) {
	p := &parser{name: name, in: lines.New(r, maxLine), s: &schedule.Schedule{}, labels: map[string]label{}}
	p.s.Where = func(op int) string { return name + ":" + strconv.Itoa(int(p.places[op])) }
	if err := p.file(); err != nil {
		return nil, 0, err
	}
	return p.s, p.elsewhere, nil
}

const numRanks = "num_ranks"

// A parser reads a schedule word by word.
type parser struct {
	name   string
	in     *lines.Reader
	line   []byte
	number int32 // of the line
	rest   int   // where the rest of the line begins
	from   int   // where the word begins
	word   string
	fresh  bool // the word is the first of its line
	ended  bool // the text has no further line

	s         *schedule.Schedule
	places    []int32 // by operation: its line
	labels    map[string]label
	needs     []need
	begun     []int32 // by rank: the line where it begins, 0 for none
	rank      int32
	elsewhere int64
}

// A label is that of an operation.
type label struct{ op, line int32 }

// A need is a requirement, whose labels may come later.
type need struct {
	names [2]string // the operation and what it requires
	place [2]fault.Pos
	start bool
}

// file reads the whole text.
func (p *parser) file() error {
	if err := p.next(); err != nil {
		return err
	}
	if p.word != numRanks {
		return p.unexpected(numRanks)
	}
	n, err := p.amount("the number of ranks", 1, sim.MaxPEs)
	if err != nil {
		return err
	}
	p.s.Ranks = int(n)
	p.begun = make([]int32, n)
	for {
		if err := p.next(); err != nil {
			return err
		}
		switch {
		case p.word == "":
			return nil
		case p.word != "rank":
			return p.unexpected("rank")
		}
		if err := p.oneRank(); err != nil {
			return err
		}
	}
}

// oneRank reads the operations of a rank.
func (p *parser) oneRank() error {
	rank, err := p.amount("a rank", 0, int64(p.s.Ranks)-1)
	if err != nil {
		return err
	}
	if line := p.begun[rank]; line > 0 {
		return p.wrong("a rank once", "rank %d has its operations in line %d", rank, line)
	}
	p.rank, p.begun[rank] = int32(rank), p.number
	clear(p.labels)
	p.needs = p.needs[:0]
	if err := p.next(); err != nil {
		return err
	}
	if p.word != "{" {
		return p.unexpected("{")
	}
	for {
		if err := p.next(); err != nil {
			return err
		}
		if p.word == "}" {
			return p.require()
		}
		if err := p.item(); err != nil {
			return err
		}
	}
}

// item reads an operation or a requirement. The word is its first one.
func (p *parser) item() error {
	const want = "an operation (calc, send, recv), a label, or }"
	switch {
	case isOp(p.word):
		return p.operation("")
	case !isName(p.word):
		return p.unexpected(want)
	}
	name, place := p.word, p.place()
	if err := p.next(); err != nil {
		return err
	}
	switch p.word {
	case ":":
		if first, ok := p.labels[name]; ok {
			return p.wrong("a label once in a rank", "the label %s is that of line %d", name, first.line)
		}
		if err := p.next(); err != nil {
			return err
		}
		if !isOp(p.word) {
			return p.unexpected("calc, send or recv")
		}
		return p.operation(name)
	case "requires", "irequires":
		n := need{start: p.word == "irequires"}
		required, err := p.label("the label of an operation")
		if err != nil {
			return err
		}
		n.names, n.place = [2]string{name, required}, [2]fault.Pos{place, p.place()}
		p.needs = append(p.needs, n)
		return p.endOfLine()
	}
	return p.unexpected(":, requires or irequires")
}

func isOp(word string) bool { return word == "calc" || word == "send" || word == "recv" }

// operation reads the rest of an operation. The word is its kind.
func (p *parser) operation(name string) error {
	if len(p.s.Ops) == schedule.MaxOps {
		return p.wrong("at most 2^31 operations", "there are more")
	}
	op := schedule.Op{Rank: p.rank, Name: p.s.Name(p.word)}
	line := p.number
	var err error
	want := "cpu, nic or the end of the line"
	if p.word == "calc" {
		op.Kind = schedule.Calc
		if op.Size, err = p.amount("a duration in ns", 0, replay.MaxDuration); err != nil {
			return err
		}
	} else {
		if err := p.message(&op); err != nil {
			return err
		}
		want = "tag, " + want
	}
	elsewhere := false
	for {
		if err := p.next(); err != nil {
			return err
		}
		var n int64
		switch {
		case p.fresh || p.word == "" || p.word == "}":
			p.again()
			p.add(name, line, op, elsewhere)
			return nil
		case p.word == "tag" && op.Kind != schedule.Calc:
			op.Tag, err = p.amount("a tag", schedule.Any, maxTag)
		case p.word == "cpu" || p.word == "nic":
			n, err = p.amount("the number of the "+p.word, 0, maxUnit)
			elsewhere = elsewhere || n > 0
		default:
			err = p.unexpected(want)
		}
		if err != nil {
			return err
		}
	}
}

// message reads the size and the other rank of a send or a recv. The word is its kind.
func (p *parser) message(op *schedule.Op) (err error) {
	preposition, least := "to", int64(0)
	if op.Kind = schedule.Send; p.word == "recv" {
		op.Kind, preposition, least = schedule.Recv, "from", schedule.Any
	}
	if op.Size, err = p.amount("a number of bytes", 0, maxBytes); err != nil {
		return err
	}
	for _, word := range []string{"b", preposition} {
		if err := p.next(); err != nil {
			return err
		}
		if p.fresh || p.word != word {
			return p.unexpected(word)
		}
	}
	peer, err := p.amount("a rank", least, int64(p.s.Ranks)-1)
	op.Peer = int32(peer)
	return err
}

// add adds an operation, with a label unless name is empty.
func (p *parser) add(name string, line int32, op schedule.Op, elsewhere bool) {
	n := p.s.Add(op)
	p.places = append(p.places, line)
	if name != "" {
		p.labels[name] = label{int32(n), line}
	}
	if elsewhere {
		p.elsewhere++
	}
}

// endOfLine returns an error if the line goes on. The } of the rank may follow.
func (p *parser) endOfLine() error {
	if err := p.next(); err != nil {
		return err
	}
	if !p.fresh && p.word != "" && p.word != "}" {
		return p.unexpected("the end of the line")
	}
	p.again()
	return nil
}

// require adds the requirements of a rank.
func (p *parser) require() error {
	for i := range p.needs {
		n := &p.needs[i]
		var ops [2]int
		for k, name := range n.names {
			l, ok := p.labels[name]
			if !ok {
				msg := fmt.Sprintf("rank %d has no operation with the label %s", p.rank, nearest.Quote(name))
				return &fault.Error{Pos: n.place[k], Msg: nearest.Suggest(msg, nearest.Names(name, slices.Sorted(maps.Keys(p.labels))))}
			}
			ops[k] = int(l.op)
		}
		if n.start {
			p.s.RequireStart(ops[0], ops[1])
		} else {
			p.s.Require(ops[0], ops[1])
		}
	}
	return nil
}
