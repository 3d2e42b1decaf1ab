// Package network describes what a picture is computed from: a network of modules with typed ports, as data that users edit and save.
//
// A module is a source (a trace, a run, a table), a filter, a transform, a layout, a display or an export. Its output is a value of one of the
// types Trace, Table, Matrix and Picture, and each of its inputs accepts one type. A Catalog holds the known modules; whorl/visual/network/modules
// makes it. A Network uses modules of the catalog by name, with parameters and links, and a Group is a part of a network with a name, which is
// used like a module.
//
// A network is a TOML file (Read, Network.Write) with a table for each use:
//
//	title = "The second half of a run"
//
//	[modules.run]
//	module = "trace"
//
//	[modules.half]
//	module = "time"
//	from = "50%"
//	trace = "run"        # the input trace reads the output of run
//
//	[modules.picture]
//	module = "timeline"
//	trace = "half"
//
// Catalog.Check finds unknown modules, links of the wrong type, cycles, missing inputs and wrong parameters, each with its line. A Builder turns
// a network into stages of visual/flow. Uses with the same module, parameters and inputs are one stage, in the network and after an edit, so
// their value is computed once.
//
// # Filters on traces
//
// A filter makes a valid trace of the events that it selects, with the same PEs, codes, contexts and texts, so every derivation and every view
// accepts it. The tree of tasks stays whole: for each task with a selected event the result also has its ancestors, as reductions without cost
// or as forks without work. A filter of time cuts the work at the bounds of the range, so that the times of the PEs in the result are exactly
// those of the range.
package network
