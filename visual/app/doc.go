// Package app is the whole viewer as a pure step: Step takes the input and returns what to show. It knows no window and no clock.
//
// # The parts
//
// Package panes holds the open workspace and changes it, and package painter draws it. Around them each part of the App is a package that uses others:
//
//   - pointing brings the pointer, the keyboard and the fingers to the pictures; tiles lays out the panes and moves them;
//   - welcome draws the window without traces, questions arranges it for a question, and quick finds anything by a few letters;
//   - play moves the time and makes its sounds; launch starts runs and edits programs; whatif tries runs with other settings; measuring computes the
//     numbers of compared runs;
//   - lessons shows lessons and checks answers, and course makes their runs;
//   - expression selects and filters by expressions; describe describes the shown part in words;
//   - saving and export write files; detach keeps the windows of one workspace together, over the connections of peer; sharing is the part in a
//     shared session.
//
// All leave messages and requests in the outbox. The App itself handles the events and draws the bars, menus and dialogs.
//
// Parts that know no panes are packages, too: runs has the forms for runs, settings sets the parameters of a view, keys lists the keys, gallery draws
// cards with small pictures, search finds a text in a trace, clock keeps the time that all traces share, and rhythm makes the sound of reductions.
//
// # The shell
//
// One table of commands makes the keys, buttons, menus and the help; a test presses every key that the help lists. An
// event goes to the widgets first, topmost layer first; the pane below gets what no widget takes. One pane has the
// keyboard focus. The program of a trace is edited in its source pane, checked at every change, and run beside the
// trace.
package app
