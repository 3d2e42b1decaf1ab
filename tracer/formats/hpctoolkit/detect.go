// Package hpctoolkit reads the databases that hpcprof of HPCToolkit makes of measurements: a folder with several files.
//
// Those of version 4 (doc/FORMATS.md in HPCToolkit's repository) are meta.db, with the metrics and the tree of calling contexts, profile.db, with
// the values of each thread, and trace.db, with the context in which each thread was at some instants. cct.db has the values of profile.db in
// another order and is not needed. Older ones are experiment.xml, with the tree, and a metric-db file with the values of each thread.
//
// In both trees a context is a function, a loop, a line or an instruction within the one before. A calling context of the trace is made of a
// function and what is within it, down to where the next function is called. Values are those of a context without what is below it.
package hpctoolkit

import "bytes"

// Beginnings of the files.
const (
	magic       = "HPCTOOLKIT" // and four letters
	metricMagic = "HPCPROF-metricdb__"
	experiment  = "<HPCToolkitExperiment"
)

// Detect says whether a file that begins with head may be one of a database.
func Detect(head []byte) bool { return kindOf(head) != "" }

// kindOf is what a file is: meta, prof, ctxt, trce, metric or xml; "" for another one.
func kindOf(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte(magic)) && len(head) >= 16:
		switch kind := string(head[10:14]); kind {
		case "meta", "prof", "ctxt", "trce":
			return kind
		}
	case bytes.HasPrefix(head, []byte(metricMagic)):
		return "metric"
	case bytes.HasPrefix(bytes.TrimLeft(head, "\ufeff \t\r\n"), []byte("<?xml")) || bytes.HasPrefix(head, []byte(experiment)):
		if bytes.Contains(head, []byte(experiment)) || bytes.Contains(head, []byte("<!DOCTYPE HPCToolkitExperiment")) {
			return "xml"
		}
	}
	return ""
}
