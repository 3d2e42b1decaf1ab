// Package ninja reads the log of Ninja, .ninja_log, with the graph of the build that lies beside it: build.ninja, with the files that it includes, and
// .ninja_deps. The log has the times of all actions and no dependencies; without the graph these are unknown.
//
// The log has several runs, and Ninja also rewrites it. The trace has the last run: entries are in the order of the times at which the actions were
// done, so a run begins where this time falls, and after build.ninja itself, which Ninja writes anew before it begins again.
package ninja

import "bytes"

const magic = "# ninja log v"

// Detect reports whether a file that begins with head may be a log of Ninja.
func Detect(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }
