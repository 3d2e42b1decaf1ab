package fidelity

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"whorl/sim/policy"
)

const readingsText = `
### Schedules that the paper leaves open

The paper calls the scheduling of Panda "simple on-demand scheduling" and says no more of it than that goals run depth-first where nothing
suspends. The options of ` + "`on-demand`" + ` ([cost-model.md](cost-model.md#the-order-of-goals)) are what it leaves open: whom an idle PE asks, the
order of the goals of a body, the turn of a resumed goal, and the PE that it goes to. All %d combinations ran the programs of the two
sections above. The paper says four things of its pictures:

1. On one PE time runs around the spiral of Pascal's triangle: the angle, alone, leads.
2. On five PEs it runs outwards: the level, alone, leads in all of %d runs. Run k has the seed k and a bus that is k - 11 percent slower
   than that of the machine, so that readings that draw no random numbers have %[2]d runs too.
3. The spokes of Semigroup stay on their PE: more than 0.95 of the reductions ran on the PE of their parent.
4. The threads of Semigroup run neither clockwise nor anticlockwise. A thread is a multiplication of vectors; measured is the rank
   correlation of the time at which it begins with its angle, near 0 from -0.2 to 0.2. The reductions inside a thread, and those of the
   tree, say nothing about the order of threads.

The fourth depends on the program, not on the schedule. ` + "`fghc/semigroup`" + ` works in rounds: all products of the members of one round, then
their lookups. The rounds lie one after the other around the circle. The paper explains the random order by lookups in the hash tree, on
which further multiplications wait. The last two columns are those of a program without rounds, in which each new member is multiplied as
soon as its lookup has found it (` + "`internal/fidelity/testdata/closure.fghc`" + `; the vectors, the products and the answer are the same).
[Below](#the-program-of-semigroup) the two are compared with the paper.
`

const readingsHead = `
| ask | body | resume | home | 1 PE: level | 1 PE: angle | 1 PE: suspensions | 5 PEs: level | 5 PEs: angle | level leads, of %d | 5 PEs: suspensions | 5 PEs: ms | Semigroup: child on the PE of its parent | Semigroup: threads clockwise | without rounds: child on the PE of its parent | without rounds: threads clockwise | sentences | without rounds |
|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
`

// writeReadings writes what comes out under each reading: a summary, the best readings, what each option changes, and the whole table.
func writeReadings(doc io.Writer, all []reading, heads []string, rows []row) {
	fmt.Fprintf(doc, readingsText, len(all), seeds)
	var with, without [5]int
	low, high := math.Inf(1), math.Inf(-1)
	most := 0
	for _, m := range rows {
		with[m.said(semigroup)]++
		without[m.said(closure)]++
		most = max(most, m.said(semigroup))
		low, high = min(low, m[semigroup+1]), max(high, m[semigroup+1])
	}
	fmt.Fprintf(doc, `
Readings that give all four: %d of %d; three: %d. The fourth fails under every one: threads run clockwise with a correlation of %.2f to
%.2f. Without rounds %d give all four and %d three.
`, with[4], len(all), with[3], low, high, without[4], without[3])
	fmt.Fprint(doc, `
The default, and the readings that give the most:
`)
	fmt.Fprintf(doc, readingsHead, seeds)
	line := func(i int) {
		fmt.Fprintf(doc, "%s%s %d | %d |\n", heads[i], rows[i], rows[i].said(semigroup), rows[i].said(closure))
	}
	line(0)
	for i, m := range rows[1:] {
		if m.said(semigroup) == most && m.said(closure) == 4 {
			line(i + 1)
		}
	}
	fmt.Fprint(doc, `
What each option changes, as the mean over all readings that share its value:

| option |`)
	for _, name := range []string{"1 PE: suspensions", "5 PEs: level", "5 PEs: angle", "level leads, of 20", "5 PEs: suspensions", "5 PEs: ms", "Semigroup: child on the PE of its parent", "Semigroup: threads clockwise", "without rounds: child on the PE of its parent", "without rounds: threads clockwise"} {
		fmt.Fprintf(doc, " %s |", name)
	}
	fmt.Fprintf(doc, "\n|---|%s\n", strings.Repeat("---:|", len(row{})-2))
	for k, o := range policy.Options {
		for _, v := range o.Values {
			var sum row
			n := 0.0
			for i, r := range all {
				if r[k] == v.Name {
					n++
					for c := range sum {
						sum[c] += rows[i][c]
					}
				}
			}
			fmt.Fprintf(doc, "| `%s=%s` |", o.Name, v.Name)
			for c := 2; c < len(sum); c++ {
				format := formats[c]
				if c == leads {
					format = "%.1f"
				}
				fmt.Fprintf(doc, " "+format+" |", sum[c]/n)
			}
			fmt.Fprintln(doc)
		}
	}
	writeVerdict(doc, all, rows)
	fmt.Fprintf(doc, "\n<details><summary>All readings</summary>\n")
	fmt.Fprintf(doc, readingsHead, seeds)
	for i := range rows {
		line(i)
	}
	fmt.Fprint(doc, "\n</details>\n")
}

// writeVerdict says why the default stays as it is.
func writeVerdict(doc io.Writer, all []reading, rows []row) {
	of := func(column int, values ...string) extent {
		e := extent{math.Inf(1), math.Inf(-1)}
		for i, r := range all {
			if !slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(r, v) }) {
				e.add(rows[i][column])
			}
		}
		return e
	}
	forward, reversed := of(leads, "forward"), of(leads, "reversed", "sleeper")
	suspended, slow, fast := of(oneSuspended, "reversed", "sleeper"), of(elapsed, "reversed", "sleeper"), of(elapsed, "forward", "sleeper")
	fmt.Fprintf(doc, `
So `+"`on-demand`"+` stays as it is. `+"`body=reversed`"+` with `+"`home=sleeper`"+` comes nearest: the recursion starts all rows before the first of them
computes, so that they advance together, and the level leads in %.0f to %.0f of %d runs. But on one PE %.0f to %.0f goals suspend, where the
paper concludes from the picture that goals run depth-first, and five PEs take %.2f to %.2f ms instead of %.2f to %.2f. With the goals of
bodies in their order no reading shows the second sentence: the level leads in %.0f to %.0f runs.
`, reversed.low, reversed.high, seeds, suspended.low, suspended.high, slow.low, slow.high, fast.low, fast.high, forward.low, forward.high)
}
