// Primes counts the primes below a limit on the nodes of a cluster: primes [LIMIT].
//
// It shows dts/cluster. The function count is registered by name, so its forks may go to other nodes. Without WHORL_JOIN the process is server
// and only node, and prints the URL at which other hosts join.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"whorl/dts"
	"whorl/dts/cluster"
)

// A span is a range of numbers, with its fields exported for encoding/gob.
type span struct{ From, To int }

var (
	funcs dts.Registry
	count dts.Func[span, int]
)

// primes counts the primes of a span. It halves spans that are worth a thread.
func primes(w *dts.Worker, s span) (n int) {
	if s.To-s.From > 10_000 {
		middle := (s.From + s.To) / 2
		left := count.Fork(w, span{s.From, middle})
		return primes(w, span{middle, s.To}) + left.Join(w)
	}
	for x := max(s.From, 2); x < s.To; x++ {
		prime := true
		for d := 2; d*d <= x && prime; d++ {
			prime = x%d != 0
		}
		if prime {
			n++
		}
	}
	return n
}

func main() {
	count = dts.Register(&funcs, "primes", primes).Takes(func(s span) time.Duration {
		return time.Duration(s.To-s.From) * 100 * time.Nanosecond
	})
	limit := 1_000_000
	if len(os.Args) > 1 {
		var err error
		if limit, err = strconv.Atoi(os.Args[1]); err != nil {
			log.Fatal(err)
		}
	}
	n, err := cluster.Run(context.Background(), cluster.Options{Local: dts.Options{Funcs: &funcs}}, count, span{0, limit})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, "primes below", limit)
}
