// Package outbox collects what the parts of the window hand over in a step: messages for the user, and requests for the shell.
package outbox

import (
	"strings"

	"whorl/visual/ui"
)

// An Outbox collects the output of the parts of the window in a step: messages for the user, requests for the shell, and whether the
// widgets must be drawn again.
type Outbox struct {
	widgets  *ui.State // shows the messages
	requests []Ask     // for the shell
	Changed  bool      // the widgets must be drawn again before the step ends
}

// New returns an outbox that shows its messages among widgets, which are yet to be drawn.
func New(widgets *ui.State) *Outbox { return &Outbox{widgets: widgets, Changed: true} }

// The topics of messages. A message goes when there is a newer one on its topic, or when its cause is mended.
const (
	AboutAction  = "action"  // something that the user did in a view
	AboutRun     = "run "    // a run, by the name of its trace; "" for one that has not started
	AboutFile    = "file "   // a file or a trace to be read, by name
	AboutWriting = "writing" // a request to the shell
	AboutSound   = "sound"

	AboutFilter     = "filter "    // the filter of a trace, by name
	AboutSession    = "session"    // the shared session
	AboutExpression = "expression" // what the user wrote to select
)

// maxNotice is the length of a message in bytes; longer ones are cut.
const maxNotice = 600

// Fail shows an error; it stays until the user dismisses it or it is mended.
func (o *Outbox) Fail(topic string, err error) { o.Notify(ui.Failure, topic, err.Error()) }

// Warn shows a warning.
func (o *Outbox) Warn(topic, text string) { o.Notify(ui.Warning, topic, text) }

// Say shows that something was done.
func (o *Outbox) Say(topic, text string) { o.Notify(ui.Success, topic, text) }

// Check shows an error, or removes the message on the topic if there is no error.
func (o *Outbox) Check(topic string, err error) {
	if err != nil {
		o.Fail(topic, err)
		return
	}
	o.Mend(topic)
}

// Notify shows a message of a severity.
func (o *Outbox) Notify(s ui.Severity, topic, text string) {
	if text = strings.TrimSpace(text); len(text) > maxNotice {
		text = strings.ToValidUTF8(text[:maxNotice], "") + "…"
	}
	o.widgets.Notify(s, topic, text)
	o.Redraw()
}

// Mend removes the message on a topic.
func (o *Outbox) Mend(topic string) {
	if o.widgets.Mend(topic) {
		o.Redraw()
	}
}

// Drain returns the requests for the shell since the last call.
func (o *Outbox) Drain() []Ask {
	asks := o.requests
	o.requests = nil
	return asks
}

// Redraw makes the widgets be drawn again before the step ends.
func (o *Outbox) Redraw() { o.Changed = true }

// Ask leaves a request for the shell.
func (o *Outbox) Ask(a Ask) { o.requests = append(o.requests, a) }

// An Ask is a request to the shell.
type Ask struct {
	Do   AskKind
	Name string // of SaveFile: the suggested name; of EditLine: the source file as the trace names it
	Data []byte // of SaveFile
	Text string // of CopyText; of EditLine: the text of the file in the trace, in case the file is missing
	Path string // of SaveFile: the file, "" for one that the shell chooses; of EditLine: the file of the trace, beside which the source file may lie, "" for none
	Line int    // of EditLine
}

// AskKind is the kind of a request.
type AskKind uint8

// The kinds of requests.
const (
	OpenFile  AskKind = iota // show a dialog for files; the answer comes as Drop. Only of a viewer without Options.Disk
	SaveFile                 // write a file; a page downloads it, a window answers with Saved or Failed
	CopyText                 // put Text on the clipboard
	PasteText                // the answer comes as a Text event
	SoundOn                  // play Sounds from now on; if that is impossible, the answer comes as NoSound
	SoundOff
	EditLine // open a line in the user's editor; the answer comes as Told
	Quit
)
