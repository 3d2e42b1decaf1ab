package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/build"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/sheet"
)

// checkPicture returns an error, before a picture is drawn, for a file whose name has none of sheet.Endings or whose folder does not exist.
func checkPicture(out string) error {
	const known = "pictures are written as FILE.svg, FILE.png or FILE.pdf"
	if build.IsFolder(out) {
		return fmt.Errorf("%s is a folder: %s", out, known)
	}
	if ext := filepath.Ext(out); !slices.Contains(sheet.Endings, ext) {
		return fmt.Errorf("%s: %s, not %s", out, known, nearest.Quote(ext))
	}
	return files.CheckFolder(out)
}

// writePicture writes the display list as SVG, PNG or PDF, by the name of the file.
func writePicture(cmd *cobra.Command, w *files.Writer, out string, s sheet.Sheet, list *scene.List, glyphs *glyph.Set) error {
	if out == "-" {
		return s.Encode(cmd.OutOrStdout(), ".svg", "", list, glyphs)
	}
	return w.Write(out, func(w io.Writer) error { return s.Encode(w, filepath.Ext(out), "", list, glyphs) })
}
