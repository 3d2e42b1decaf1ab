// Package modules is the registry of the modules of networks. A new module is a file of this package and a line in this file.
package modules

import (
	"whorl/visual/network"
	"whorl/visual/network/shown"
	"whorl/visual/view"
)

// all lists the modules in the order of `whorl list modules`.
var all = []func() *network.Module{
	traceFile,
	importFile,
	run,
	sweepTable,
	timeFilter,
	peFilter,
	procedureFilter,
	shareFilter,
	expressionFilter,
	subsetFilter,
	rowsFilter,
	merge,
	lines,
	procedures,
	activityShares,
	messages,
	asTable,
	skip,
	bin,
	normalise,
	difference,
	smooth,
	rank,
	cluster,
	measure,
	strips,
	row,
	column,
	exportPicture,
	exportCSV,
	exportTrace,
}

// Catalog returns all modules, with a display for each of some views before the exports.
func Catalog(views []*view.Kind) network.Catalog {
	var c, exports network.Catalog
	for _, module := range all {
		if m := module(); m.Class == network.Export {
			exports = append(exports, m)
		} else {
			c = append(c, m)
		}
	}
	for _, k := range append(append([]*view.Kind(nil), views...), shown.Heat(), shown.Sheet()) {
		if !k.Modules {
			c = append(c, display(k))
		}
	}
	return append(c, exports...)
}
