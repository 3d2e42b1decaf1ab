package app

import (
	"strings"

	"whorl/visual/ui"
)

// An outbox passes on what the parts of the window leave for others in a step: messages for the user, requests for the shell, and whether the
// widgets must be drawn again.
type outbox struct {
	widgets  *ui.State // shows the messages
	requests []Ask     // for the shell
	changed  bool      // the widgets must be drawn again before the step ends
}

// The topics of messages. A message goes when there is a newer one on its topic, or when its cause is mended.
const (
	aboutAction  = "action"  // something that the user did in a view
	aboutRun     = "run "    // a run, by the name of its trace; "" for one that has not started
	aboutFile    = "file "   // a file or a trace to be read, by name
	aboutWriting = "writing" // a request to the shell
	aboutSound   = "sound"

	aboutExpression = "expression" // what the user wrote to select
)

// maxNotice is the length of a message in bytes; longer ones are cut.
const maxNotice = 600

// fail shows an error; it stays until the user dismisses it or it is mended.
func (o *outbox) fail(topic string, err error) { o.notify(ui.Failure, topic, err.Error()) }

// warn shows a warning.
func (o *outbox) warn(topic, text string) { o.notify(ui.Warning, topic, text) }

// say shows that something was done.
func (o *outbox) say(topic, text string) { o.notify(ui.Success, topic, text) }

// check shows an error, or removes the message on the topic if there is no error.
func (o *outbox) check(topic string, err error) {
	if err != nil {
		o.fail(topic, err)
		return
	}
	o.mend(topic)
}

// notify shows a message of a severity.
func (o *outbox) notify(s ui.Severity, topic, text string) {
	if text = strings.TrimSpace(text); len(text) > maxNotice {
		text = strings.ToValidUTF8(text[:maxNotice], "") + "…"
	}
	o.widgets.Notify(s, topic, text)
	o.redraw()
}

// mend removes the message on a topic.
func (o *outbox) mend(topic string) {
	if o.widgets.Mend(topic) {
		o.redraw()
	}
}

// redraw makes the widgets be drawn again before the step ends.
func (o *outbox) redraw() { o.changed = true }

// ask leaves a request for the shell.
func (o *outbox) ask(a Ask) { o.requests = append(o.requests, a) }
