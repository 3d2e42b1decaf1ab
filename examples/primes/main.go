// Primes counts the primes below a limit on the nodes of a cluster: primes [LIMIT].
//
// It shows dts/cluster. The function primes is registered by name, so its forks may go to other nodes (whorl run --nodes). Outside a cluster the
// program runs in one process, live or simulated.
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

var count dts.Func[span, int]

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
	var funcs dts.Registry
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
	n, err := cluster.Run(context.Background(), cluster.Options{}, count, span{0, limit})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, "primes below", limit)
}
