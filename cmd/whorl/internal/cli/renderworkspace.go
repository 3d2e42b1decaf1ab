package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/internal/files"
	"whorl/visual/app"
	"whorl/visual/documents"
	"whorl/visual/glyph"
	"whorl/visual/sheet"
)

// runsHere runs the programs of a workspace in this process.
type runsHere struct{}

func (runsHere) Run(r experiment.Run) (documents.Session, error) { return session.Start(r) }

// renderWorkspace draws all panes of a workspace in their arrangement, as the viewer saves its whole window.
func renderWorkspace(cmd *cobra.Command, w *files.Writer, path, out string, page sheet.Sheet, ground, legend string) error {
	text, err := files.ReadText(path, maxWorkspace)
	if err != nil {
		return err
	}
	glyphs := glyph.New()
	a := app.New(app.Options{Text: glyphs, Runner: runsHere{}})
	defer a.Close()
	whole, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := a.OpenWorkspace(whole, text); err != nil {
		return command.InFile(path, err)
	}
	list, err := a.Still(cmd.Context(), page, ground, legend)
	if err != nil {
		return command.InFile(path, err)
	}
	return writePicture(cmd, w, out, page, list, glyphs)
}
