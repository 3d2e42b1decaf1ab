package vista

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"

	"whorl/tracer"
	"whorl/tracer/taskindex"
)

// ErrNoReductions reports that a trace has no Reduce events.
var ErrNoReductions = errors.New("vista: the trace has no Reduce events")

// Write writes the Reduce events of a trace as a VISTA file. PEmax is the number of PEs in the metadata, or larger if a record has a larger PE. A
// goal whose parent has no earlier record is written without a parent. Write omits later reductions of a goal and reductions without a task. It
// fails for a reduction without a clause, a PE below 0 or above 1,048,575, or a negative time.
func Write(w io.Writer, src tracer.Source) error {
	numbers := number(src.Dict())
	last := int32(-1) // PE
	err := scan(src, func(e *tracer.Event) error {
		last = max(last, e.PE)
		switch {
		case e.PE < 0 || e.PE >= mostPEs:
			return fmt.Errorf("vista: task %d was reduced on PE %d: expected 0 to %d", e.Task, e.PE, mostPEs-1)
		case e.Time < 0:
			return fmt.Errorf("vista: task %d was reduced at %d ns: expected a time from 0 on", e.Task, e.Time)
		case numbers[e.Code] == 0:
			return fmt.Errorf("vista: the reduction of task %d at %d ns names code entry %d: expected a clause", e.Task, e.Time, e.Code)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if last < 0 {
		return ErrNoReductions
	}
	out := bufio.NewWriterSize(w, 1<<16)
	line := strconv.AppendInt(nil, int64(min(max(src.Meta().PEs, int(last)+1), mostPEs)), 10)
	if _, err := out.Write(append(line, '\n')); err != nil {
		return err
	}
	index := make([]int64, last+1)
	var places taskindex.Table[place]
	err = scan(src, func(e *tracer.Event) error {
		if places.Get(e.Task) != (place{}) {
			return nil
		}
		index[e.PE]++
		own := place{e.PE, index[e.PE]}
		parent := places.Get(e.Ref)
		places.Put(e.Task, own)
		line = line[:0]
		for i, n := range [6]int64{e.Time / msec, numbers[e.Code], int64(own.pe), own.index, int64(parent.pe), parent.index} {
			if i > 0 {
				line = append(line, ' ')
			}
			line = strconv.AppendInt(line, n, 10)
		}
		line = append(line, '\n')
		_, err := out.Write(line)
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// scan calls f for each reduction of a task.
func scan(src tracer.Source, f func(e *tracer.Event) error) error {
	return src.Scan(tracer.Kinds(tracer.Reduce), func(es []tracer.Event) error {
		for i := range es {
			if es[i].Task == 0 {
				continue
			}
			if err := f(&es[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// number returns clause# for the entries that are clauses.
func number(d *tracer.Dict) map[uint32]int64 {
	codes := d.Codes()
	numbers := map[uint32]int64{}
	for i, id := range Clauses(d) {
		numbers[id] = int64(i + 1)
		if n, ok := numberOf(&codes[id]); ok {
			numbers[id] = n
		}
	}
	return numbers
}

// A place identifies a reduction in the file by PE and index. The index 0 is none.
type place struct {
	pe    int32
	index int64
}
