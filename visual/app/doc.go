// Package app is the whole viewer as a pure step: Step takes the input and returns what to show. It knows no window and no clock.
//
// # The parts
//
// Package panes holds what is open and how it changes, and package painter draws it. Around them each part of the App is a package that uses others:
// play moves the time and makes its sounds; launch starts runs and edits programs; whatif tries runs with other settings; measuring computes the numbers
// of compared runs; saving and export write files; lessons shows lessons and checks answers; detach keeps the windows of one workspace together, over the connections of peer; sharing is the part in a shared session; expression
// selects and filters by expressions; describe says in words what is shown. All leave messages and requests in the outbox. The App itself handles the
// events and draws the bars, menus and dialogs.
//
// Parts that know no panes are packages, too: runs has the forms for runs, settings sets the parameters of a view, keys lists the keys, gallery draws
// cards with small pictures, clock keeps the time that all traces share, and rhythm makes the sound of reductions.
//
// # The shell
//
// One table of commands makes the keys, buttons, menus and the help; a test presses every key that the help lists. An
// event goes to the widgets first, topmost layer first; the pane below gets what no widget takes. One pane has the
// keyboard focus. The program of a trace is edited in its source pane, checked at every change, and run beside the
// trace.
package app
