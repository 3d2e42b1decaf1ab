package account

import "whorl/tracer"

// A Pause is time that a PE spent without a task until another PE ended it: a part of its Waiting or Stealing time.
type Pause struct {
	From, To int64
	Ground   Ground
	Why      uint32 // the reason in the trace, for ForReason
	PE       int32  // that ended it, tracer.None if unknown
	Code     uint32 // of the message that came, or of the thread or clause that ran on that PE; 0 if unknown
}

// A Ground is what a PE does without a task.
type Ground uint8

// The grounds.
const (
	ForReason  Ground = iota // it waits for what the trace names, such as a message
	ForBinding               // it waits until a variable is bound that its next goal needs
	ForJoin                  // it waits until a thread ends that its next thread joins
	ForWork                  // it asks other PEs for work
)

// name returns what a wait is for.
func (g Ground) name(why uint32, codes []tracer.Code) string {
	switch {
	case g == ForJoin:
		return "join"
	case g == ForReason && int(why) < len(codes):
		return codes[why].Name
	}
	return "binding"
}

// For returns what a PE waited for: binding, join, work or a reason of the trace.
func (p *Pause) For(codes []tracer.Code) string {
	if p.Ground == ForWork {
		return "work"
	}
	return p.Ground.name(p.Why, codes)
}

// pause tells the sink about time that ended.
func (p *pass) pause(l *lane, x Pause) {
	x.From = max(x.From, l.paused)
	if p.sink != nil && x.From < x.To {
		p.sink.Pause(l.pe, &x)
		l.paused = x.To
	}
}
