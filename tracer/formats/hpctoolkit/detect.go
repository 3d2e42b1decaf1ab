// Package hpctoolkit reads the databases that hpcprof of HPCToolkit makes from measurements. A database is a folder with several files.
//
// Version 4 (doc/FORMATS.md in HPCToolkit's repository) has the files meta.db, with the metrics and the tree of calling contexts, profile.db, with
// the values of each thread, and trace.db, with the context of each thread at sampled instants. cct.db has the values of profile.db in another
// order and is ignored. Older databases have experiment.xml, with the tree, and a metric-db file with the values of each thread.
//
// A context in either tree is a function, a loop, a line or an instruction within its parent. A calling context of the trace combines a
// function with the contexts inside it, down to the call of the next function. Values are exclusive.
package hpctoolkit

import "bytes"

// Beginnings of the files.
const (
	magic       = "HPCTOOLKIT" // followed by four letters
	metricMagic = "HPCPROF-metricdb__"
	experiment  = "<HPCToolkitExperiment"
)

// Detect reports whether a file that begins with head may belong to a database.
func Detect(head []byte) bool { return kindOf(head) != "" }

// kindOf returns the kind of a file: meta, prof, ctxt, trce, metric or xml; "" for any other.
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
