package experiment

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"whorl/fghc/compile"
	"whorl/fghc/steps"
	"whorl/fghc/syntax"
	"whorl/internal/figures"
)

// Steps say which lines of Trace are wanted. Zero is no limit.
type Steps struct {
	Depth  int      // of the tree of calls, from 1 for the goals of the query
	Length int      // lines
	Spy    []string // procedures, as name/arity, module:name/arity, or a name alone
}

// Trace is Run on simulated PEs with nothing recorded: what becomes of each goal is written to w as text. A run that has given as many
// lines as are wanted has met a limit. The error is also that of writing. What the program prints is expected to go to the same place.
func (p *Prepared) Trace(ctx context.Context, w io.Writer, want Steps, watch func(Progress)) (*Result, error) {
	if p.Description.Mode == Live {
		return nil, &InputError{"goals are traced on simulated PEs only: --mode sim"}
	}
	prog, ok := p.program.(*fghcProgram)
	if !ok {
		return nil, &InputError{p.Description.Program + " is no program in FGHC, and has no goals to trace"}
	}
	spy, err := spied(prog.code, want.Spy)
	if err != nil {
		return nil, err
	}
	out := steps.New(w, prog.code, p.config.PEs, steps.Options{Depth: want.Depth, Length: want.Length, Spy: spy})
	observed, traced := *prog, *p
	observed.observe = out.Observe
	traced.program = &observed
	if traced.World.Stdout != nil {
		traced.World.Stdout = out.Aside(traced.World.Stdout)
	}
	x, err := traced.begin(nil)
	if err != nil {
		return nil, err
	}
	for x.more {
		x.advance(ctx, 1)
		switch {
		case x.more && out.Err() != nil:
			x.end(Interrupted, out.Err())
		case x.more && out.Full():
			x.end(Limited, fmt.Errorf("stopped after %s lines", figures.Count(int64(out.Lines()))))
		}
		if watch != nil {
			watch(x.progress())
		}
	}
	r := x.finish()
	return r, out.End(r.Err)
}

// spied returns the procedures of a program that are named, nil for no names.
func spied(prog *compile.Program, names []string) (map[*compile.Proc]bool, error) {
	if len(names) == 0 {
		return nil, nil
	}
	found := map[*compile.Proc]bool{}
	for _, name := range names {
		var known []string
		one := false
		for i := range prog.Procs {
			pr := &prog.Procs[i]
			if pr.Builtin {
				continue
			}
			bare := strings.TrimPrefix(pr.Name, pr.Module+":")
			full := syntax.Procedure{Name: bare, Arity: pr.Arity}.String()
			titles := []string{full, syntax.FormatName(bare), bare}
			if pr.Module != "" {
				full = syntax.FormatName(pr.Module) + ":" + full
				titles = append(titles, full)
			}
			if slices.Contains(titles, name) {
				found[pr], one = true, true
			}
			known = append(known, full)
		}
		if !one {
			return nil, Unknown("procedure", name, known, "")
		}
	}
	return found, nil
}
