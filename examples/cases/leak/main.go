// Leak leaves a goroutine behind for each query that takes too long: its answer comes on a channel that nobody reads any more.
//
//	go run ./examples/cases/leak -trace leak.trace
//	whorl view leak.trace
//
// With -buffered the channel has room for the answer, and no goroutine is left.
package main

import (
	"flag"
	"fmt"
	"runtime"
	"time"

	"whorl/examples/cases/tracing"
)

// lookup answers after a time that depends on the query.
func lookup(query int) int {
	time.Sleep(time.Duration(query%7) * time.Millisecond)
	return query * query
}

// query asks and gives up after a while. ok is false then.
func query(q, room int) (answer int, ok bool) {
	answers := make(chan int, room)
	go func() { answers <- lookup(q) }()
	select {
	case answer = <-answers:
		return answer, true
	case <-time.After(4 * time.Millisecond):
		return 0, false
	}
}

func main() {
	file := tracing.Flag()
	queries := flag.Int("queries", 200, "queries")
	buffered := flag.Bool("buffered", false, "give the channel room for the answer")
	flag.Parse()
	defer tracing.Start(*file)()
	room := 0
	if *buffered {
		room = 1
	}
	late := 0
	for q := range *queries {
		if _, ok := query(q, room); !ok {
			late++
		}
	}
	time.Sleep(10 * time.Millisecond) // the last answers
	fmt.Printf("%d queries, %d too late, %d goroutines at the end\n", *queries, late, runtime.NumGoroutine())
}
