package exec

import (
	"whorl/hpfsim/charge"
	"whorl/hpfsim/wasm"
)

// Levels are the calls of generated code that have not returned, the outermost first, with their calling contexts.
type levels struct {
	points []int   // of the calls
	made   []level // for the first of them
}

// A level is a call: its point in the code of the caller, the code of the procedure, and its calling context.
type level struct {
	point   int
	code    *code
	context charge.Call
}

// note adds the call that a note of generated code reports, or removes the innermost call if the note reports a return.
func (l *levels) note(k int32) {
	if p, ok := wasm.Called(k); ok {
		l.points = append(l.points, p)
	} else {
		l.points = l.points[:len(l.points)-1]
	}
}

// undo reverses the effects of some notes, the last one first.
func (l *levels) undo(notes []int32) {
	for i := len(notes) - 1; i >= 0; i-- {
		if _, ok := wasm.Called(notes[i]); ok {
			l.points = l.points[:len(l.points)-1]
		} else if p, ok := wasm.Returned(notes[i]); ok {
			l.points = append(l.points, p)
		}
	}
}

// inCalls has the processors of the frame execute instructions within the innermost of the calls. In a live run it moves the watch to the first of them.
func (f *frame) inCalls(g *generated, calls *levels, all []wasm.Stretch) {
	if len(calls.points) == 0 || g.Unit != nil && len(calls.points) == 1 {
		for _, x := range all {
			f.run(x.First, x.Last, 1)
		}
		if f.watch != nil && len(all) > 0 {
			f.watch.Move(f.site(all[0].First))
		}
		return
	}
	l := f.level(g, calls)
	if f.watch != nil && len(all) > 0 {
		f.watch.Move(f.clocks.Site(&l.context, all[0].First))
	}
	for _, x := range all {
		if x.First < x.Last {
			p := l.code.Repeat(x.First, x.Last, 1)
			if !f.clocks.Spend(f.who, &l.context, &p) {
				panic(&LimitError{"time"})
			}
		}
	}
}

// level returns the innermost of the calls.
func (f *frame) level(g *generated, calls *levels) *level {
	known := 0
	for known < len(calls.points) && known < len(calls.made) && calls.points[known] == calls.made[known].point {
		known++
	}
	calls.made = calls.made[:known]
	for _, point := range calls.points[known:] {
		p := &g.Points[point-1]
		l := level{point: point, code: f.codeOf(p.Callee)}
		caller, context := f.code, &f.context
		if n := len(calls.made); n > 0 {
			caller, context = calls.made[n-1].code, &calls.made[n-1].context
		}
		if n := len(calls.made); n == 0 && g.Unit != nil { // the procedure of the frame
			l.context = f.context
		} else {
			above := context.Context
			if f.clocks.Recording() {
				above = f.clocks.Site(context, caller.callSite(p.Pos))
			}
			l.context = charge.Call{Code: l.code.Code, Context: above}
		}
		calls.made = append(calls.made, l)
	}
	return &calls.made[len(calls.made)-1]
}
