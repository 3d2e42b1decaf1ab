// Package view defines the parts common to all views: pictures, their descriptions (Kind), frames, selections, and the state that actions
// change.
//
// A view computes a geometry by stages (visual/flow). The geometry is the picture: it implements Picture, which has three methods, and any
// of the optional interfaces below, as the plotters of gonum/plot do. Its coordinates are float64, and a camera maps them to pixels. A view
// has no state of its own. User input becomes an Action, a value that can be stored. State.Apply is the only function that changes state,
// which makes undo, saved workspaces and replays simple. A Selection names things of the trace, never pixels. Each picture locates a
// selection (Locate) and returns the thing under a pixel (Hit), which links any two views.
//
// Each picture has a title, a legend and the numbers of the run beside it. The picture returns them (Legend); package page
// places them.
//
// # Growing traces
//
// All stages read one snapshot of a growing trace (store.Growing). A derivation remembers a mark and continues with the events after it
// (store.Since). The spawn tree splices new nodes into a copy. Other derivations pass their state on to the next value, once
// (tracer/derive/onward). A trace of several streams is merged into one as it grows (store.Growing.Merge); it is derived from scratch only when
// a stream brings an event that precedes merged ones. A result never depends on the previous value: tests cut traces at random places and
// compare results, including pictures. While its program runs, a trace is shown again when it is a twentieth longer or after a second, and only
// when the stages have finished the last snapshot.
//
// # Colours
//
// A PE or a procedure has the same hue in all views. The hues depend only on the spawn tree. If there are enough colours, each PE has its
// own; otherwise neighbours among the PEs that worked share one. Selected things keep their colours. Everything else is veiled, and so is
// everything outside the time window.
//
// # State
//
// State changes only through Apply, by actions that can be serialised. Undo, sessions, replays and tests use this. Shared state (selection,
// time window, moment, lines of the detail, annotations, palette, traces) is separate from personal state (camera, hover, panes). A
// selection names its trace and, in it, subtrees or ranges of tasks, codes, lines, PEs, a time or contexts. Lines are named by file and
// number, because they need not have run. Data, geometry, style and overlay have separate revisions, so hovering redraws no tile.
//
// # Comparison
//
// Compared runs form a group. Their views of time have a common axis, that of the longest run. Their kaleidoscopes have a common place,
// camera and range of colours. A setting of one view applies to the views of all runs, and one clock plays them all. A selection in one run
// is translated for the others: to the same procedures, PEs and times, and to the same goals by their ways through the tree (Genealogy),
// because task numbers depend on the schedule.
package view
