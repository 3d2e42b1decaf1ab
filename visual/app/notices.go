package app

import (
	"strings"

	"whorl/visual/ui"
)

// fail tells the user that something went wrong; it stays until he dismisses it.
func (a *App) fail(err error) { a.notify(ui.Failure, err.Error()) }

// warn tells the user something that he should know.
func (a *App) warn(text string) { a.notify(ui.Warning, text) }

// say tells the user that something was done.
func (a *App) say(text string) { a.notify(ui.Success, text) }

// maxNotice is how long a notice may be; longer ones are cut.
const maxNotice = 600

func (a *App) notify(s ui.Severity, text string) {
	if text = strings.TrimSpace(text); len(text) > maxNotice {
		text = strings.ToValidUTF8(text[:maxNotice], "") + "…"
	}
	a.widgets.Notify(s, text)
	a.changed = true
}
