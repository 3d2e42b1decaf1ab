package app

import (
	"fmt"

	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// A command is what a key, a button or a menu item does.
type command struct {
	name string
	keys []shortcut // the first is the one that is shown
	doc  string
	icon icon.Icon
	do   func(a *App)
	off  func(a *App) bool // it is disabled; nil for never
}

// A shortcut is a key with the modifiers that must be held.
type shortcut struct {
	mods ui.Mods
	key  string
}

func (s shortcut) String() string {
	names := map[string]string{" ": "Space", "ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓", "Escape": "Esc"}
	key := s.key
	if n, ok := names[key]; ok {
		key = n
	} else if s.mods != 0 && len(key) == 1 {
		key = string(key[0] &^ 0x20)
	} else if len(key) == 1 && key[0] >= 'A' && key[0] <= 'Z' {
		key = "Shift+" + key // the small letter is another key
	}
	for _, m := range []struct {
		mod  ui.Mods
		name string
	}{{ui.Shift, "Shift"}, {ui.Alt, "Alt"}, {ui.Control, "Ctrl"}} {
		if s.mods&m.mod != 0 {
			key = m.name + "+" + key
		}
	}
	return key
}

func plain(keys ...string) []shortcut {
	out := make([]shortcut, len(keys))
	for i, k := range keys {
		out[i] = shortcut{0, k}
	}
	return out
}

func control(key string) []shortcut { return []shortcut{{ui.Control, key}} }

// commands lists all commands in the order of the help. Small letters are keys of the views, except h.
func commands() []command {
	return []command{
		{"open", control("o"), "Open a trace or a program", icon.Open, func(a *App) { a.ask(Ask{Do: OpenFile}) }, nil},
		{"save", control("s"), "Save the workspace", icon.Save, func(a *App) { a.saving.save() }, noTraces},
		{"picture", plain("P"), "Save a picture of the pane", icon.Save, func(a *App) { a.savePicture() }, noPane},
		{"undo", control("z"), "Undo", icon.Undo, func(a *App) { a.act(view.Action{Do: view.UndoAction}) }, func(a *App) bool { return !a.CanUndo() }},
		{"redo", []shortcut{{ui.Control, "y"}, {ui.Control | ui.Shift, "z"}}, "Redo", icon.Redo, func(a *App) { a.act(view.Action{Do: view.RedoAction}) }, func(a *App) bool { return !a.CanRedo() }},
		{"run", plain("R"), "Run a program", icon.Play, func(a *App) { a.runs.open = !a.runs.open }, noRunner},
		{"compare", plain("C"), "Compare runs side by side", icon.Compare, func(a *App) { a.compare.open = !a.compare.open }, noRunner},
		{"state", plain("Q"), "Queues and answer of the run", icon.Table, func(a *App) { a.state.open = !a.state.open }, notLive},
		{"step", plain("."), "One reduction forward", icon.Step, func(a *App) { a.stepRun(1) }, notLive},
		{"step back", plain(","), "One reduction back", icon.Back, func(a *App) { a.stepRun(-1) }, notLive},
		{"play", plain(" "), "Play in order of time, or pause", icon.Play, func(a *App) { a.togglePlay() }, noTraces},
		{"slower", plain("<"), "Play at half the speed", icon.Minus, func(a *App) { a.speedUp(-1) }, noTraces},
		{"faster", plain(">"), "Play at twice the speed", icon.Plus, func(a *App) { a.speedUp(1) }, noTraces},
		{"parts", plain("%"), "Same time, or same part of each run", icon.Compare, func(a *App) { a.flag(view.SetParts, !a.State.Shared.Parts) }, notComparing},
		{"apart", plain("K"), "Link the pictures of runs, or not", icon.Link, func(a *App) { a.flag(view.SetApart, !a.State.Shared.Apart) }, notComparing},
		{"sound", plain("M"), "Hear what plays, or not", icon.Sound, func(a *App) { a.hearing.toggle() }, noTraces},
		{"split right", plain("|"), "Divide the pane side by side", icon.Columns, func(a *App) { a.splitPane(workspace.ToRight) }, noPane},
		{"split below", plain("_"), "Divide the pane in rows", icon.Rows, func(a *App) { a.splitPane(workspace.Below) }, noPane},
		{"close pane", plain("X"), "Close the pane", icon.Close, func(a *App) { a.closePane(a.focus) }, noPane},
		{"next pane", plain("]"), "Go to the next pane", icon.Right, func(a *App) { a.stepPane(1) }, noPane},
		{"previous pane", plain("["), "Go to the previous pane", icon.Left, func(a *App) { a.stepPane(-1) }, noPane},
		{"edit", plain("E"), "Edit the program, or close it", icon.Pencil, func(a *App) { a.sources.toggle() }, func(a *App) bool { return !a.canEdit(a.focused()) }},
		{"open line", plain("O"), "Open the line in your editor", icon.Pencil, func(a *App) { a.openLine() }, func(a *App) bool { _, _, ok := a.selectedLine(); return !ok }},
		{"place", plain("G"), "Place the goal on a PE, run again", icon.Compare, func(a *App) { d, task, _ := a.selectedTask(); a.check(a.placing.begin(d, task)) }, noGoal},
		{"note", plain("N"), "Write a note at the task", icon.Note, func(a *App) { d, task, _ := a.selectedTask(); a.note.begin(a.model, d, task) }, noTask},
		{"settings", plain("S"), "Settings of the pane", icon.Settings, func(a *App) { a.settings.toggle() }, noPane},
		{"find", control("f"), "Find in the pane", icon.Search, func(a *App) { a.settings.find() }, noFind},
		{"legends", plain("L"), "Show or hide the legends", icon.Info, func(a *App) { a.painter.legends = !a.painter.legends }, noPane},
		{"dark", plain("D"), "Light or dark", icon.Moon, func(a *App) { a.edit(func(w *workspace.Workspace) error { w.Dark = !w.Dark; return nil }) }, nil},
		{"help", plain("h", "?", "F1"), "Show or hide this help", icon.Help, func(a *App) { a.help.open = !a.help.open }, nil},
	}
}

func noTraces(a *App) bool { return len(a.State.Shared.Traces) == 0 }

func noRunner(a *App) bool { return a.docs.Runner == nil }

func notComparing(a *App) bool { return !a.comparing() }

func notLive(a *App) bool { d := a.focused(); return d == nil || d.Live == nil || d.Run == nil }

func noTask(a *App) bool { _, _, ok := a.selectedTask(); return !ok }

func noGoal(a *App) bool { d, _, ok := a.selectedTask(); return !ok || !a.canEdit(d) }

func noPane(a *App) bool { return a.Pane(a.focus) == nil }

func noFind(a *App) bool {
	p := a.panes[a.focus]
	return p == nil || !hasParam(p.kind, view.Find)
}

// commandKeys runs the command whose key was pressed, if no widget took the key.
func (a *App) commandKeys(c *ui.Context) {
	for i := range a.commands {
		cmd := &a.commands[i]
		for _, k := range cmd.keys {
			if c.Shortcut(k.mods, k.key) {
				a.perform(cmd)
				return
			}
		}
	}
}

// perform runs a command unless it is disabled.
func (a *App) perform(cmd *command) {
	if cmd.off == nil || !cmd.off(a) {
		cmd.do(a)
		a.changed = true
	}
}

// command returns the command of a name.
func (a *App) command(name string) *command {
	for i := range a.commands {
		if a.commands[i].name == name {
			return &a.commands[i]
		}
	}
	panic(fmt.Sprintf("app: no command is named %q", name))
}

// tip returns the tip of a button for a command.
func (cmd *command) tip() string { return cmd.doc + " (" + cmd.keys[0].String() + ")" }

// item returns a menu item for a command.
func (a *App) item(name string) ui.Item {
	cmd := a.command(name)
	return ui.Item{Label: cmd.doc, Icon: cmd.icon, Off: cmd.off != nil && cmd.off(a), Keys: cmd.keys[0].String()}
}
