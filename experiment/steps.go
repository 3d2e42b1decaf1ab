package experiment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"whorl/fghc/compile"
	"whorl/fghc/steps"
	"whorl/fghc/syntax"
	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/tracer"
)

// Steps choose lines of Trace. Zero is no limit.
type Steps struct {
	Depth  int      // of the tree of calls; the goals of the query have depth 1
	Length int      // lines
	Spy    []string // procedures, as name/arity, module:name/arity or name
}

// Trace is Run on simulated PEs without a recorder. It writes the events of each goal to w as lines of text, interleaved with the output of
// the program. A run that reached want.Length met a limit. The error includes errors of writing.
func (p *Prepared) Trace(ctx context.Context, w io.Writer, want Steps, watch func(Progress)) (*Result, error) {
	if p.Description.Mode == Live {
		return nil, errors.New("goals are traced on simulated PEs only: --mode sim")
	}
	if p.fghc == nil {
		return nil, errors.New(p.Description.Program + " is not a program in FGHC and has no goals to trace")
	}
	spy, err := spied(p.fghc.code, want.Spy)
	if err != nil {
		return nil, err
	}
	out := steps.New(w, p.fghc.code, p.config.PEs, steps.Options{Depth: want.Depth, Length: want.Length, Spy: spy})
	observed, traced := *p.fghc, *p
	observed.observe = out.Observe
	traced.program = &observed
	if traced.World.Stdout != nil {
		traced.World.Stdout = out.Aside(traced.World.Stdout)
	}
	x, err := traced.Begin(nil)
	if err != nil {
		return nil, err
	}
	for x.Running() {
		x.advance(ctx, 1)
		switch {
		case x.Running() && out.Err() != nil:
			x.End(tracer.Interrupted, out.Err())
		case x.Running() && out.Full():
			x.End(tracer.Limited, fmt.Errorf("stopped after %s lines", figures.Count(int64(out.Lines()))))
		}
		if watch != nil {
			watch(x.Progress())
		}
	}
	r := x.Finish()
	return r, out.End(r.Err)
}

// spied returns the named procedures of a program, nil for no names.
func spied(prog *compile.Program, names []string) (map[*compile.Proc]bool, error) {
	if len(names) == 0 {
		return nil, nil
	}
	found := map[*compile.Proc]bool{}
	for _, name := range names {
		var known []string
		any := false
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
				found[pr], any = true, true
			}
			known = append(known, full)
		}
		if !any {
			return nil, nearest.Unknown("procedure", name, known)
		}
	}
	return found, nil
}
