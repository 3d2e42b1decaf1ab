package report

import (
	"fmt"

	"whorl/fghc/compile"
	"whorl/tracer"
)

// Codes adds the procedures and clauses of a program to the code table of a trace and returns their entries in program order. Clause 0, the
// clause of queries, has no entry.
func Codes(prog *compile.Program, dict *tracer.Dict) (procs, clauses []uint32) {
	name := func(pr *compile.Proc) string { return fmt.Sprintf("%s/%d", pr.Name, pr.Arity) }
	for i := range prog.Procs {
		pr := &prog.Procs[i]
		procs = append(procs, dict.Add(tracer.Code{
			Type: tracer.Procedure, Name: name(pr), File: pr.Pos.File, Line: pr.Pos.Line, Column: pr.Pos.Column,
		}))
	}
	clauses = make([]uint32, 1, len(prog.Clauses))
	for _, cl := range prog.Clauses[1:] {
		clauses = append(clauses, dict.Add(tracer.Code{
			Type: tracer.Clause, Name: name(&prog.Procs[cl.Proc]), File: cl.Pos.File, Line: cl.Pos.Line, Column: cl.Pos.Column,
			Parent: procs[cl.Proc], Children: int32(cl.Goals),
		}))
	}
	return procs, clauses
}
