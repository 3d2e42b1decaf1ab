package account

import "whorl/tracer"

// A Pause is time that a PE spent without a task until another PE ended it: a part of its Waiting or Stealing time.
type Pause struct {
	From, To int64
	Kind     PauseKind
	Why      uint32 // the reason in the trace, for ForReason
	PE       int32  // the PE that ended it, tracer.None if unknown
	Code     uint32 // of the message that came, or of the thread or clause that ran on that PE; 0 if unknown
}

// A PauseKind tells why a PE has no task.
type PauseKind uint8

// The kinds of pauses.
const (
	ForReason  PauseKind = iota // the PE waits for something that the trace names, such as a message
	ForBinding                  // the PE waits until a variable is bound that its next goal needs
	ForJoin                     // the PE waits until a thread ends that its next thread joins
	ForWork                     // the PE asks other PEs for work
	ForWake                     // the PE waits until its next thread is woken
)

// reason names the reason of a wait. why is the reason in the trace.
func (k PauseKind) reason(why uint32, codes []tracer.Code) string {
	switch {
	case k == ForJoin:
		return "join"
	case k == ForWake:
		return "wake-up"
	case k == ForReason && int(why) < len(codes):
		return codes[why].Name
	}
	return "binding"
}

// For names the reason of a pause: binding, join, wake-up, work or a reason of the trace.
func (p *Pause) For(codes []tracer.Code) string {
	if p.Kind == ForWork {
		return "work"
	}
	return p.Kind.reason(p.Why, codes)
}

// pause gives the sink a pause, without the part before the end of the last one of the PE.
func (p *pass) pause(l *lane, x Pause) {
	x.From = max(x.From, l.paused)
	if p.sink != nil && x.From < x.To {
		p.sink.Pause(l.pe, &x)
		l.paused = x.To
	}
}
