package draw

import (
	"fmt"
	"path/filepath"

	"whorl/cmd/whorl/internal/command"
	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/internal/files"
	"whorl/visual/app"
	"whorl/visual/documents"
	"whorl/visual/glyph"
	"whorl/visual/view"
)

// maxWorkspace is the longest workspace that is read, in bytes.
const maxWorkspace = 16 << 20

// runsHere runs the programs of a workspace in this process.
type runsHere struct{}

func (runsHere) Run(r experiment.Run) (documents.Session, error) { return session.Start(r) }

// workspace draws all panes of a workspace in their arrangement, as the viewer saves its whole window.
func (r *render) workspace(path string) error {
	if err := command.CheckScopes(r.cmd, workspaceScopes, true); err != nil {
		return err
	}
	if err := checkOutput(r.out); err != nil {
		return err
	}
	if r.ground != "" {
		if _, err := view.Background.Parse(r.ground); err != nil {
			return err
		}
	}
	text, err := files.ReadText(path, maxWorkspace)
	if err != nil {
		return err
	}
	r.glyphs = glyph.New()
	a := app.New(app.Options{Text: r.glyphs, Runner: runsHere{}})
	defer a.Close()
	whole, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	report, err := a.OpenWorkspace(whole, text)
	if err != nil {
		return command.InFile(path, err)
	}
	if report != "" {
		fmt.Fprintf(r.cmd.ErrOrStderr(), "whorl: %s: %s\n", path, report)
	}
	list, err := a.Still(r.cmd.Context(), r.sheet, r.ground, r.legend)
	if err != nil {
		return command.InFile(path, err)
	}
	return r.write(r.out, r.sheet, list)
}
