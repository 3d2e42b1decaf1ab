package vista

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"whorl/tracer"
)

// Read reads a VISTA trace into rec as one stream of Reduce events, and does not close rec. Tasks are numbered in the order of their records.
// Costs are 0.
//
// clauses is the code table of the source program. Read copies its clauses, including the numbers of their body goals. If clauses is nil, Read
// names clauses by their numbers, takes the largest number of children of a clause's reductions as its number of body goals, and holds all
// records in memory until the end of the file.
//
// An error in the file is an *Error; the events before it have been recorded. A last line that has too few fields and no end is no error: the file is
// cut, and the metadata say so.
func Read(r io.Reader, rec tracer.Recorder, clauses *tracer.Dict) error {
	p := &parser{in: bufio.NewReaderSize(r, 1<<16)}
	if err := p.machine(); err != nil {
		return err
	}
	meta := tracer.Meta{Substrate: "vista", PEs: p.pes}
	meta.SetResolution(msec)
	rec.SetMeta(meta)
	stream := rec.Stream(tracer.StreamInfo{Name: "vista"})
	defer func() {
		if p.cut != "" {
			meta.Extra = append(meta.Extra, tracer.KV{Key: tracer.MissingKey, Value: p.cut})
			rec.SetMeta(meta)
		}
	}()
	if clauses != nil {
		return p.records(known(rec.Dict(), clauses, stream))
	}
	var all []reduction
	err := p.records(func(r reduction, line int) error {
		all = append(all, r)
		return nil
	})
	counted(all, rec.Dict(), stream)
	return err
}

// A reduction is a record whose parent has been looked up.
type reduction struct {
	time         int64 // ns
	clause       int64
	task, parent uint64
	pe, from     int32
}

func (r *reduction) record(s *tracer.Stream, code uint32) {
	if s == nil {
		return
	}
	*s.Slot() = tracer.Event{
		Kind: tracer.Reduce, Time: r.time, Task: r.task, Ref: r.parent, PE: r.pe, Peer: r.from, Code: code,
	}
}

// known returns a function that records a reduction of a known program.
func known(dict, clauses *tracer.Dict, stream *tracer.Stream) func(reduction, int) error {
	codes := clauses.Codes()
	var add func(id uint32) uint32
	add = func(id uint32) uint32 {
		if id == 0 {
			return 0
		}
		c := codes[id]
		c.Parent = add(c.Parent) // parents are earlier entries; the parent of a clause is its procedure
		return dict.Add(c)
	}
	ids, last := map[int64]uint32{}, int64(0)
	numbers := number(clauses)
	for _, id := range Clauses(clauses) {
		n := numbers[id]
		ids[n], last = add(id), max(last, n)
	}
	return func(r reduction, line int) error {
		id, ok := ids[r.clause]
		if !ok {
			return &Error{line, fmt.Sprintf("clause# %d", r.clause), fmt.Sprintf("a clause of the program, 1 to %d", last)}
		}
		r.record(stream, id)
		return nil
	}
}

// counted records all reductions of an unknown program, after counting their children.
func counted(all []reduction, dict *tracer.Dict, stream *tracer.Stream) {
	children := make([]int32, len(all)+1) // by task
	for i := range all {
		children[all[i].parent]++
	}
	most := map[int64]int32{}
	for i := range all {
		c := all[i].clause
		most[c] = max(most[c], children[all[i].task])
	}
	ids := make(map[int64]uint32, len(most))
	for i := range all {
		c := all[i].clause
		id, ok := ids[c]
		if !ok {
			id = dict.Add(tracer.Code{Type: tracer.Clause, Name: anonymous(c), Children: most[c]})
			ids[c] = id
		}
		all[i].record(stream, id)
	}
}

// A parser reads the file line by line.
type parser struct {
	in    *bufio.Reader
	line  int
	pes   int
	tasks [][]uint32 // by PE and index, up to the last PE with a record
	task  uint64
	time  int64 // ms
	whole bool  // the line has an end
	cut   string
}

// next returns the fields of the next line that is not empty, or none at the end of the file.
func (p *parser) next(fields [][]byte) ([][]byte, error) {
	for {
		line, err := p.in.ReadSlice('\n')
		if len(line) > 0 {
			p.line++
			p.whole = line[len(line)-1] == '\n'
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, &Error{p.line, "more than 65,536 bytes", "six numbers"}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("vista: after line %d: %w", p.line, err)
		}
		fields = fields[:0]
		for f := range bytes.FieldsSeq(line) {
			fields = append(fields, f)
		}
		if len(fields) > 0 || err != nil {
			return fields, nil
		}
	}
}

// number parses a field of a record.
func (p *parser) number(name string, field []byte, from, to int64) (int64, error) {
	n, ok := int64(0), len(field) <= 19
	for _, c := range field {
		d := int64(c - '0')
		if c < '0' || c > '9' || !ok || n > (math.MaxInt64-d)/10 {
			ok = false
			break
		}
		n = 10*n + d
	}
	if ok && n >= from && n <= to {
		return n, nil
	}
	want := fmt.Sprintf("%d to %d", from, to)
	if from == to {
		want = fmt.Sprint(from)
	}
	if len(field) > 30 {
		field = append(field[:30:30], "..."...)
	}
	return 0, &Error{p.line, fmt.Sprintf("%s %q", name, field), want}
}

func (p *parser) machine() error {
	fields, err := p.next(nil)
	if err != nil {
		return err
	}
	if len(fields) != 1 {
		return &Error{max(p.line, 1), fmt.Sprintf("%d fields", len(fields)), "one, PEmax, the number of PEs"}
	}
	n, err := p.number("PEmax", fields[0], 1, mostPEs)
	p.pes = int(n)
	return err
}

// records calls f for each record, with its line.
func (p *parser) records(f func(r reduction, line int) error) error {
	fields := make([][]byte, 0, 6)
	for {
		var err error
		if fields, err = p.next(fields); err != nil || len(fields) == 0 {
			return err
		}
		if len(fields) < 6 && !p.whole && p.task > 0 {
			p.cut = fmt.Sprintf("the rest from line %d on: the line is cut: %d fields; expected 6: time clause# pe index ppe pindex", p.line, len(fields))
			return nil
		}
		if len(fields) != 6 {
			return &Error{p.line, fmt.Sprintf("%d fields", len(fields)), "6: time clause# pe index ppe pindex"}
		}
		r, err := p.record(fields)
		if err != nil {
			return err
		}
		if err := f(r, p.line); err != nil {
			return err
		}
	}
}

func (p *parser) record(fields [][]byte) (r reduction, err error) {
	number := func(i int, name string, from, to int64) (n int64) {
		if err == nil {
			n, err = p.number(name, fields[i], from, to)
		}
		return n
	}
	r.from = tracer.None
	time := number(0, "time (the records stand in the order of time)", p.time, math.MaxInt64/msec)
	r.clause = number(1, "clause#", 1, math.MaxInt32)
	r.pe = int32(number(2, "pe", 0, int64(p.pes-1)))
	next := int64(len(p.tasksOn(r.pe)) + 1)
	number(3, fmt.Sprintf("index (the next of PE %d)", r.pe), next, next)
	ppe := int32(number(4, "ppe", 0, int64(p.pes-1)))
	pindex := number(5, fmt.Sprintf("pindex (an earlier record of PE %d, or 0 0 for none)", ppe), 0, int64(len(p.tasksOn(ppe))))
	if err == nil && pindex == 0 && ppe != 0 {
		err = &Error{p.line, fmt.Sprintf("ppe %d with pindex 0", ppe), "0 0 for a reduction without a parent"}
	}
	if err == nil && p.task == math.MaxUint32 {
		err = &Error{p.line, "one record too many", "at most 4,294,967,295"}
	}
	if err != nil {
		return r, err
	}
	if pindex > 0 {
		r.parent, r.from = uint64(p.tasks[ppe][pindex-1]), ppe
	}
	p.time, r.time = time, time*msec
	p.task++
	r.task = p.task
	for int(r.pe) >= len(p.tasks) {
		p.tasks = append(p.tasks, nil)
	}
	p.tasks[r.pe] = append(p.tasks[r.pe], uint32(r.task))
	return r, nil
}

// tasksOn returns the tasks of a PE that have been read.
func (p *parser) tasksOn(pe int32) []uint32 {
	if int(pe) < len(p.tasks) {
		return p.tasks[pe]
	}
	return nil
}
