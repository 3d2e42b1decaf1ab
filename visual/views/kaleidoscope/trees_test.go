package kaleidoscope

import (
	"math/rand/v2"

	"whorl/tracer"
)

// A grown tree is a trace of reductions from a simple scheduler. Tasks are numbered from 1 in the order in which they are created.
type grown struct {
	kids func(task, level int) int // number of children of a task
	proc func(task, level int) int // procedure of a task
	n    int                       // limit of tasks
	pes  int
	lifo bool // depth-first on one PE, else breadth-first
}

type pending struct {
	task, parent uint64
	level, from  int32
}

func (w grown) trace() *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{
		Program: "test/tree", Args: []string{"35"}, Substrate: "fghc", Mode: "sim", Policy: "on-demand", Network: "bus", Machine: "symmetry",
		Seed: 1, PEs: w.pes, Clock: tracer.Virtual, Goal: "main(35, X)",
	})
	var clauses []uint32
	for _, name := range []string{"main/2", "split/3", "merge/3", "count/2"} {
		p := m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: name})
		clauses = append(clauses, m.Dict().Add(tracer.Code{Type: tracer.Clause, Parent: p, Children: 2}))
	}
	s := m.Stream(tracer.StreamInfo{Name: "test"})
	next, time := 2, int64(0)
	queue := []pending{{task: 1, from: -1}}
	for head := 0; head < len(queue); {
		var p pending
		if w.lifo {
			p = queue[len(queue)-1]
			queue = queue[:len(queue)-1]
		} else {
			p = queue[head]
			head++
		}
		pe := int32(p.task) % int32(w.pes)
		if p.from >= 0 && p.task%4 != 0 {
			pe = p.from
		}
		proc := 0
		if w.proc != nil {
			proc = w.proc(int(p.task), int(p.level))
		}
		*s.Slot() = tracer.Event{
			Kind: tracer.Reduce, Time: time, Task: p.task, Ref: p.parent, PE: pe, Peer: p.from, Code: clauses[proc%len(clauses)], Value: 900,
		}
		time += 1000
		first := len(queue)
		for range w.kids(int(p.task), int(p.level)) {
			if next > w.n {
				break
			}
			queue = append(queue, pending{task: uint64(next), parent: p.task, level: p.level + 1, from: pe})
			next++
		}
		if w.lifo {
			for i, j := first, len(queue)-1; i < j; i, j = i+1, j-1 {
				queue[i], queue[j] = queue[j], queue[i]
			}
		}
	}
	s.Sync()
	return m
}

func chain(n, pes int) *tracer.Memory {
	return grown{n: n, pes: pes, lifo: true, kids: func(int, int) int { return 1 }}.trace()
}

func star(n, pes int) *tracer.Memory {
	return grown{n: n, pes: pes, kids: func(task, _ int) int {
		if task == 1 {
			return n
		}
		return 0
	}}.trace()
}

// bushy trees have arms and one to three children per node.
func bushy(n, pes int, lifo bool) *tracer.Memory {
	r := rand.New(rand.NewPCG(1, 2))
	return grown{n: n, pes: pes, lifo: lifo, proc: func(t, l int) int { return (t*7 + l) % 4 }, kids: func(task, _ int) int {
		switch k := r.IntN(10); {
		case task < 8 || k < 5:
			return 1 + r.IntN(2)
		case k < 8:
			return 1
		case k == 9:
			return 3
		}
		return 0
	}}.trace()
}

// snail has the shape of Pascal's triangle: the i-th node of a spine has a row of i steps, each with a chain.
func snail(rows, pes int, lifo bool) *tracer.Memory {
	rank := map[int]int{1: 0} // by task: 1000*row + step for rows, negative for chains
	next := 2
	push := func(v int) { rank[next] = v; next++ }
	return grown{n: 1 << 20, pes: pes, lifo: lifo, proc: func(t, _ int) int {
		switch v := rank[t]; {
		case v < 0:
			return 2 + v&1
		case v < 1000:
			return 0
		}
		return 1
	}, kids: func(task, _ int) int {
		v := rank[task]
		switch {
		case v >= 0 && v < 1000: // spine
			if v == rows {
				return 0
			}
			push(1000*(v+1) + v/2 + 1)
			push(v + 1)
			return 2
		case v >= 1000 && v%1000 > 0: // a row
			push(-3)
			push(v - 1)
			return 2
		case v < 0 && v < -1:
			push(v + 1)
			return 1
		}
		return 0
	}}.trace()
}
