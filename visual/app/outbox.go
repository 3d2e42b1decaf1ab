package app

import (
	"strings"

	"whorl/visual/ui"
)

// An outbox collects what the parts of the window leave for others in a step: messages for the user, requests for the shell, and whether the
// widgets must be drawn again.
type outbox struct {
	notices  []notice // for the widgets to show
	requests []Ask    // for the shell
	changed  bool     // the widgets must be drawn again before the step ends
}

// A notice is a message to the user.
type notice struct {
	severity ui.Severity
	text     string
}

// maxNotice is the length of a message in bytes; longer ones are cut.
const maxNotice = 600

// fail shows an error; it stays until the user dismisses it.
func (o *outbox) fail(err error) { o.notify(ui.Failure, err.Error()) }

// warn shows a warning.
func (o *outbox) warn(text string) { o.notify(ui.Warning, text) }

// say shows that something was done.
func (o *outbox) say(text string) { o.notify(ui.Success, text) }

// check shows an error, if there is one.
func (o *outbox) check(err error) {
	if err != nil {
		o.fail(err)
	}
}

// notify shows a message of a severity.
func (o *outbox) notify(s ui.Severity, text string) {
	if text = strings.TrimSpace(text); len(text) > maxNotice {
		text = strings.ToValidUTF8(text[:maxNotice], "") + "…"
	}
	o.notices = append(o.notices, notice{s, text})
	o.redraw()
}

// redraw makes the widgets be drawn again before the step ends.
func (o *outbox) redraw() { o.changed = true }

// ask leaves a request for the shell.
func (o *outbox) ask(a Ask) { o.requests = append(o.requests, a) }
