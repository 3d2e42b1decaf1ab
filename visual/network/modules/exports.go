package modules

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"whorl/internal/nearest"
	"whorl/visual/flow"
	"whorl/visual/network"
	"whorl/visual/view"
)

// The names of the exports.
const (
	PictureName = "picture"
	CSVName     = "csv"
	SaveName    = "save"
)

// FileParam is the parameter of an export with the name of its file.
const FileParam = "name"

// export is a module that writes a file with one of some endings. The file lies in the folder that the user of the network names.
func export(name, title, doc string, in network.Port, endings ...string) *network.Module {
	return &network.Module{
		Name: name, Title: title, Doc: doc, Class: network.Export, In: []network.Port{in},
		Params: []view.Param{{Name: FileParam, Label: "Name", Doc: "name of the file, without a folder, ending in " + strings.Join(endings, ", "), Default: "out" + endings[0]}},
		Check: func(v flow.Values) error {
			file := v.Text(FileParam)
			if strings.ContainsAny(file, `/\:`) || strings.HasPrefix(file, ".") {
				return fmt.Errorf("%s: expected the name of a file without a folder; the folder is that of -o", nearest.Quote(file))
			}
			if !slices.Contains(endings, filepath.Ext(file)) {
				return fmt.Errorf("%s: expected a name that ends in %s", nearest.Quote(file), strings.Join(endings, ", "))
			}
			return nil
		},
	}
}

func exportPicture() *network.Module {
	m := export(PictureName, "Picture file", "write a picture as SVG, PNG or PDF", network.Port{Name: "picture", Type: network.Picture}, ".svg", ".png", ".pdf")
	m.Params = append(m.Params, view.Param{Name: "size", Label: "Size", Doc: "width x height in pixels, or in mm as in 85x60mm; empty is that of the command", Default: ""})
	return m
}

func exportCSV() *network.Module {
	return export(CSVName, "CSV file", "write a table as CSV, with the units in its headings", network.Port{Name: "table", Type: network.Tabular}, ".csv")
}

func exportTrace() *network.Module {
	return export(SaveName, "Trace file", "write a trace, for example a filtered one", network.Port{Name: "trace", Type: network.Trace}, ".whorl")
}
