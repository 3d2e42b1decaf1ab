// Package tracing lets the example programs write execution traces.
package tracing

import (
	"flag"
	"log"
	"os"
	"runtime/trace"
)

// Flag adds the flag -trace, the file of the trace.
func Flag() *string { return flag.String("trace", "", "write an execution trace to this `file`") }

// Start begins a trace in a file and returns the function that ends it. Without a name there is no trace.
func Start(name string) (stop func()) {
	if name == "" {
		return func() {}
	}
	out, err := os.Create(name)
	if err != nil {
		log.Fatal(err)
	}
	if err := trace.Start(out); err != nil {
		log.Fatal(err)
	}
	return func() {
		trace.Stop()
		if err := out.Close(); err != nil {
			log.Fatal(err)
		}
	}
}
