// Package view holds what all views have in common: the pictures that they draw, their descriptions (Kind), the frame that they draw
// into, what can be selected in them, and the state that actions change.
//
// A view computes a geometry by stages (visual/flow). The geometry is the picture itself: it implements Picture, with three methods, and
// whichever of the optional interfaces below it needs, as the plotters of gonum/plot do. It lies in a world of float64 seen through a
// camera. A view keeps no state of its own. What a user does becomes an Action, a value that can be written down; State.Apply is the one
// place that changes state, so that undo, saved workspaces and replays need nothing else. A Selection names things of the trace, never
// pixels. Each picture finds them (Locate) and names what lies under a pixel (Hit), which links any two views.
//
// A title, a legend and the numbers of the run stand beside the picture of any view. The picture lists them (Legend); Shoot and
// DrawLegend place them.
//
// # Growing traces
//
// All stages see one snapshot of a growing trace (store.Growing). A derivation remembers a mark and goes on with the
// events behind it (store.Since). The spawn tree splices new nodes into a copy; other derivations hand their state from
// a value to the next one, once (tracer/derive/onward). A trace of several streams is derived anew each time, because a
// late stream brings events that belong before others. A result never depends on the previous value: tests cut traces
// at random places and compare, down to the pictures. While its program runs, a trace is shown anew when it is longer
// by a twentieth or after a second, and only when the stages are done with the last one.
//
// # Colours
//
// A PE or a procedure has one hue in all views and colourings; both follow from the spawn tree alone. While there are
// colours enough each PE has its own; otherwise neighbours among the PEs that worked share one. Selected things keep
// their colours, and everything else is veiled, as is whatever lies outside the time window.
//
// # State
//
// State changes only by actions that can be serialised, through Apply. Undo, sessions, replays and tests follow from
// that. Shared state (selection, time window, moment, lines of the detail, annotations, palette, traces) is apart from
// personal state (camera, hover, panes). A selection names its trace and subtrees or ranges of tasks, codes, lines,
// PEs, a time or a context in it. Lines are named by file and number, since nothing need have run there. Data,
// geometry, style and overlay have revisions of their own, so that hovering redraws no tile.
//
// # Comparison
//
// Compared runs form a group. Their views of time have one axis, that of the longest run; their kaleidoscopes have one
// place, one camera and one range of colours; a setting of a view is set in all of them. One clock plays them all. What
// is selected in one run is translated for the others: the same procedures, PEs and times, and the same goals by their
// way through the tree (Genealogy), because the numbers of tasks depend on the schedule.
package view
