package columns

import (
	"math/rand/v2"

	"pgregory.net/rapid"
)

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// A script is the program of a thread. It runs for a while before each step and for last at the end.
type script struct {
	steps []step
	last  float64
}

type step struct {
	run  float64
	fork *script // nil for a join
	join int     // index of the joined fork
}

// build makes the graph of a thread and its descendants. A join becomes a b-join and an a-join.
func build(t fataler, main *script) *Graph {
	t.Helper()
	g := &Graph{First: []int32{0}}
	// Chains are stored one after the other in preorder of the threads, so list the threads first.
	type entry struct {
		s      *script
		parent int32
		nth    int // index among the parent's forks
	}
	var order []entry
	stack := []entry{{main, -1, 0}}
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		me := int32(len(order))
		order = append(order, e)
		var below []entry
		for _, st := range e.s.steps {
			if st.fork != nil {
				below = append(below, entry{st.fork, me, len(below)})
			}
		}
		for i := len(below) - 1; i >= 0; i-- {
			stack = append(stack, below[i])
		}
	}
	n := len(order)
	forks, joins := make([][]int32, n), make([][]int32, n)
	node := func(length float64, e Edge) int32 {
		g.Length, g.Edge = append(g.Length, length), append(g.Edge, e)
		return int32(len(g.Length)) - 1
	}
	for t, e := range order {
		node(0, Runs)
		for _, st := range e.s.steps {
			if st.fork != nil {
				forks[t], joins[t] = append(forks[t], node(st.run, Runs)), append(joins[t], -1)
			} else {
				node(st.run, Runs)
				joins[t][st.join] = node(0, Waits)
			}
		}
		node(e.s.last, Runs)
		g.First = append(g.First, int32(len(g.Length)))
	}
	g.Size = make([]int32, n)
	for t := n - 1; t >= 0; t-- {
		if g.Size[t]++; order[t].parent >= 0 {
			g.Size[order[t].parent] += g.Size[t]
		}
	}
	for _, e := range order {
		g.Parent = append(g.Parent, e.parent)
		if e.parent < 0 {
			g.Fork, g.Join = append(g.Fork, -1), append(g.Join, -1)
		} else {
			g.Fork, g.Join = append(g.Fork, forks[e.parent][e.nth]), append(g.Join, joins[e.parent][e.nth])
		}
	}
	g.Order = sorted(g)
	if err := g.Check(); err != nil {
		t.Fatalf("%v", err)
	}
	return g
}

// sorted returns the nodes in topological order (A. Kahn, 1962).
func sorted(g *Graph) []int32 {
	nodes := len(g.Length)
	next, missing := make([][]int32, nodes), make([]int, nodes)
	edge := func(u, v int32) {
		next[u] = append(next[u], v)
		missing[v]++
	}
	for t := range g.Parent {
		for v := g.First[t] + 1; v < g.First[t+1]; v++ {
			edge(v-1, v)
		}
		if g.Fork[t] >= 0 {
			edge(g.Fork[t], g.First[t])
		}
		if g.Join[t] >= 0 {
			edge(g.First[t+1]-1, g.Join[t])
		}
	}
	for _, l := range g.Free {
		edge(l.From, l.To)
	}
	var order []int32
	for v := range missing {
		if missing[v] == 0 {
			order = append(order, int32(v))
		}
	}
	for k := 0; k < len(order); k++ {
		for _, v := range next[order[k]] {
			if missing[v]--; missing[v] == 0 {
				order = append(order, v)
			}
		}
	}
	return order
}

// fibonacci is the program of Figure 3: 12 calls in a loop, each with two forks and two joins, in fork order or in
// reverse.
func fibonacci(calls int, reverse bool) *script {
	var call func(n int) []step
	call = func(n int) []step {
		if n <= 1 {
			return nil
		}
		a, b := &script{steps: call(n - 1), last: 2}, &script{steps: call(n - 2), last: 2}
		first, second := 0, 1
		if reverse {
			first, second = 1, 0
		}
		return []step{{1, a, 0}, {1, b, 0}, {1, nil, first}, {1, nil, second}}
	}
	main := &script{last: 1}
	for n := range calls {
		done := 0
		for _, st := range main.steps {
			if st.fork != nil {
				done++
			}
		}
		for _, st := range call(n) {
			st.join += done
			main.steps = append(main.steps, st)
		}
	}
	return main
}

// rsa forks a worker for each block and joins the workers in fork order or in reverse (Figure 4).
func rsa(workers int, reverse bool) *script {
	main := &script{last: 3}
	for i := range workers {
		main.steps = append(main.steps, step{1, &script{last: 50 + float64(i%5)}, 0})
	}
	for i := range workers {
		if reverse {
			i = workers - 1 - i
		}
		main.steps = append(main.steps, step{1, nil, i})
	}
	return main
}

// tree is a binary tree of threads; each joins its children in reverse order (Figure 5).
func tree(n int) *script {
	s := &script{last: 5}
	if n--; n == 0 {
		return s
	}
	left := n / 2
	s.steps = append(s.steps, step{2, tree(n - left), 0})
	if left > 0 {
		s.steps = append(s.steps, step{2, tree(left), 0}, step{1, nil, 1})
	}
	s.steps = append(s.steps, step{1, nil, 0})
	return s
}

// random returns a random program of at most the given number of threads. If nested, it joins all that it forks, the
// last one first.
func random(r *rand.Rand, threads int, nested bool) *script {
	left := threads - 1
	var thread func(depth int) *script
	thread = func(depth int) *script {
		s := &script{last: float64(r.IntN(20))}
		var open []int
		forked := 0
		for range r.IntN(14) {
			run := float64(r.IntN(10))
			if len(open) > 0 && r.IntN(2) == 0 {
				k := len(open) - 1
				if !nested {
					k = r.IntN(len(open))
				}
				s.steps = append(s.steps, step{run, nil, open[k]})
				open = append(open[:k], open[k+1:]...)
			} else if left > 0 && depth < 12 {
				left--
				s.steps = append(s.steps, step{run, thread(depth + 1), 0})
				open = append(open, forked)
				forked++
			}
		}
		for len(open) > 0 {
			k := len(open) - 1
			if !nested {
				if r.IntN(4) == 0 { // never joined
					break
				}
				k = r.IntN(len(open))
			}
			s.steps = append(s.steps, step{float64(r.IntN(3)), nil, open[k]})
			open = append(open[:k], open[k+1:]...)
		}
		return s
	}
	return thread(0)
}

// drawn draws a random program.
func drawn(t *rapid.T, nested bool) *script {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	return random(r, rapid.IntRange(1, 120).Draw(t, "threads"), nested)
}
