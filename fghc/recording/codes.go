package recording

import (
	"whorl/fghc/compile"
	"whorl/fghc/report"
	"whorl/tracer"
)

// Codes are the entries of the trace's code table.
type Codes struct {
	NoWork, GC, Stop uint32 // reasons

	procs, clauses []uint32
	bySite         []uint32 // clause of each site
	host, offCPU   uint32
}

// NewCodes adds the codes of a program, a host and the reasons of a live run to a table.
func NewCodes(prog *compile.Program, d *tracer.Dict) (c Codes) {
	c.procs, c.clauses = report.Codes(prog, d)
	c.bySite = make([]uint32, len(prog.Sites))
	for i, s := range prog.Sites {
		c.bySite[i] = c.clauses[s.Clause]
	}
	reason := func(name string) uint32 { return d.Add(tracer.Code{Type: tracer.Reason, Name: name}) }
	c.host = d.Add(tracer.Code{Type: tracer.Host, Name: "live"})
	c.NoWork = reason("no work")
	reason("steal")
	reason("place")
	c.GC = reason("gc")
	c.Stop = reason("stop")
	c.offCPU = reason("off cpu")
	return c
}
