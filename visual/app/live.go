package app

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"whorl/experiment"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/visual/ui"
)

// live is a program that runs, or ran, and the trace that grows from it.
type live struct {
	session Session
	trace   *store.Growing
	status  Status
	over    bool          // all of it has been taken
	asked   time.Duration // when it was last told to do something
	err     error         // of its bytes
	rest    []byte        // taken, and not yet written to the trace
	begun   time.Duration // when the trace got its first bytes
}

// A run that began before its window did has recorded much when the window opens: the first picture is of firstPart, in bytes, so that it
// comes at once. What is not seen within firstWait gets all.
const (
	firstPart = 1 << 18
	firstWait = time.Second
)

// part is what of the bytes that have come is to be written to the trace now.
func (l *live) part(d *document, now time.Duration) []byte {
	l.rest = append(l.rest, l.session.Take()...)
	b := l.rest
	if l.begun == 0 && len(b) > 0 {
		l.begun = now
		b = b[:min(len(b), firstPart)]
	} else if d.fed.events == 0 && now < l.begun+firstWait {
		return nil
	}
	l.rest = l.rest[len(b):]
	if len(l.rest) == 0 {
		l.rest = nil
	}
	return b
}

func (l *live) ended() bool { return l.over }

// newLive is the document of a run that begins.
func newLive(s Session, r experiment.Run) *document {
	l := &live{session: s, trace: store.NewGrowing()}
	return &document{src: l.trace, live: l, run: &r}
}

// pumpEvery is how often a program that runs is asked for what it has recorded.
const pumpEvery = 40 * time.Millisecond

// pump takes what the programs have recorded since the last step, in the order of the names of their traces.
func (a *App) pump() {
	for _, name := range slices.Sorted(maps.Keys(a.docs)) {
		d := a.docs[name]
		l := d.live
		if l == nil || l.over {
			continue
		}
		status := l.session.Status() // before the bytes: of one that has finished all of them are there
		if b := l.part(d, a.now); len(b) > 0 && l.err == nil {
			if _, l.err = l.trace.Write(b); l.err != nil {
				a.fail(l.err)
			}
			a.changed = true
		}
		if status != l.status {
			l.status = status
			a.changed = true
		}
		if status.State == Finished && len(l.rest) == 0 {
			l.over = true
			l.status.Reductions = max(status.Reductions, l.trace.Counts()[tracer.Reduce]) // the last word of one that was killed is older
			a.changed = true
			a.finished(d)
		}
	}
}

// finished tells how a run has ended; of runs that are compared, once all have, whether their answers are the same.
func (a *App) finished(d *document) {
	var names []string
	answers := map[string]bool{}
	for _, e := range a.compared(d) {
		if e.live != nil && e.live.status.Err == "" {
			if !e.live.over {
				names = nil
				break
			}
			names = append(names, e.name)
			answers[strings.TrimSpace(e.live.status.Answer)] = true
		}
	}
	answer := strings.TrimSpace(d.live.status.Answer)
	switch st := d.live.status; {
	case st.Err != "":
		a.notify(ui.Failure, d.name+": "+st.Err)
	case a.compared(d) != nil && len(names) == 0: // others go on
	case len(answers) > 1:
		a.warn(fmt.Sprintf("The answers of these %d runs differ: %s", len(names), strings.Join(names, "; ")))
	case answer == "":
	case len(names) > 1:
		a.say(fmt.Sprintf("%d runs have the same answer: %s", len(names), answer))
	default:
		a.say(d.name + ": " + answer)
	}
}

// pumps says when to pump again, false where nothing runs.
func (a *App) pumps() (time.Duration, bool) {
	for _, d := range a.docs {
		if l := d.live; l != nil && !l.over && (l.status.State == Running || len(l.rest) > 0 || a.now < l.asked+time.Second) {
			return a.now + pumpEvery, true
		}
	}
	return 0, false
}

// command steers a run.
func (a *App) command(d *document, c Command) {
	if d == nil || d.live == nil {
		return
	}
	d.live.session.Do(c)
	d.live.asked = a.now
	a.changed = true
}

// stepRun goes reductions forward or back. Back, or on from the end of a run that has finished, is a new run of the same program up to
// there, for the same seed gives the same run.
func (a *App) stepRun(by int64) {
	d := a.focused()
	if d == nil || d.live == nil || d.run == nil {
		return
	}
	at := d.live.status.Reductions
	if by > 0 {
		a.command(d, Command{Do: Step, N: by})
		return
	}
	a.goTo(d, max(at+by, 0))
}

// goTo makes a run stand at a reduction.
func (a *App) goTo(d *document, n int64) {
	if n >= d.live.status.Reductions && !d.live.over {
		a.command(d, Command{Do: StepTo, N: n})
		return
	}
	if a.runner == nil {
		a.fail(errors.New("programs cannot be run here, so that no step leads back"))
		return
	}
	session, err := a.runner.Run(*d.run)
	if err != nil {
		a.fail(err)
		return
	}
	session.Do(Command{Do: StepTo, N: n})
	if old, ok := d.live.session.(interface{ Replaced() }); ok { // whoever runs it elsewhere hears why
		old.Replaced()
	} else {
		d.live.session.Close()
	}
	fresh := newLive(session, *d.run)
	d.live, d.src = fresh.live, fresh.src
	d.live.asked = a.now
	d.restarts++
	a.changed = true
}
