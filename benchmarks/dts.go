package benchmarks

// A DTS is a program of threads in Go, written with package dts.
type DTS struct {
	File    string                // in the folder threads; threads.Make makes the program
	Threads func(p []int64) int64 // computes the number of threads of a run, including the main thread
}

// Substrate returns "dts".
func (DTS) Substrate() string { return "dts" }

// Prepare calls h.DTS.
func (d DTS) Prepare(p []int64, h Host) error { return h.DTS(d, p) }

// Text returns the text of the program.
func (d DTS) Text() string { return source("threads/" + d.File) }

// power returns b to the power of n.
func power(b, n int64) int64 {
	v := int64(1)
	for range n {
		v *= b
	}
	return v
}
