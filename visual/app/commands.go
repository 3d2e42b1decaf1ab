package app

import (
	"fmt"

	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// A command is something that the user can do by a key, a button or a menu.
type command struct {
	name  string
	keys  []shortcut // the first is the one that is shown
	doc   string
	glyph icon.Icon
	do    func(a *App)
	off   func(a *App) bool // it makes no sense now
}

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

// commands lists all commands, as the help shows them. Small letters belong to the views, but for h.
func commands() []command {
	return []command{
		{"open", control("o"), "Open a trace or a program", icon.Open, func(a *App) { a.asks = append(a.asks, Ask{Do: OpenFile}) }, nil},
		{"save", control("s"), "Save the workspace", icon.Save, (*App).saveWorkspace, noTraces},
		{"picture", plain("P"), "Save a picture of the pane", icon.Save, (*App).savePicture, noPane},
		{"undo", control("z"), "Undo", icon.Undo, func(a *App) { a.act(view.Action{Do: view.UndoAction}) }, func(a *App) bool { return !a.CanUndo() }},
		{"redo", []shortcut{{ui.Control, "y"}, {ui.Control | ui.Shift, "z"}}, "Do again what was undone", icon.Redo, func(a *App) { a.act(view.Action{Do: view.RedoAction}) }, func(a *App) bool { return !a.CanRedo() }},
		{"run", plain("R"), "Run a program", icon.Play, (*App).toggleRun, func(a *App) bool { return a.runner == nil }},
		{"compare", plain("C"), "Compare runs side by side", icon.Compare, (*App).toggleCompare, func(a *App) bool { return a.runner == nil }},
		{"state", plain("Q"), "Queues and answer of the run", icon.Table, (*App).toggleState, notLive},
		{"step", plain("."), "One more reduction", icon.Step, func(a *App) { a.stepRun(1) }, notLive},
		{"step back", plain(","), "One reduction back", icon.Back, func(a *App) { a.stepRun(-1) }, notLive},
		{"play", plain(" "), "Play in order of time, or pause", icon.Play, (*App).togglePlay, noTraces},
		{"slower", plain("<"), "Play at half the speed", icon.Minus, func(a *App) { a.speedUp(-1) }, noTraces},
		{"faster", plain(">"), "Play at twice the speed", icon.Plus, func(a *App) { a.speedUp(1) }, noTraces},
		{"parts", plain("%"), "Same time, or same part of each run", icon.Compare, (*App).toggleParts, notCompared},
		{"apart", plain("K"), "Link the pictures of runs, or not", icon.Link, (*App).toggleApart, notCompared},
		{"sound", plain("M"), "Hear what plays, or not", icon.Sound, (*App).toggleSound, noTraces},
		{"split right", plain("|"), "Divide the pane side by side", icon.Columns, func(a *App) { a.splitPane(workspace.ToRight) }, noPane},
		{"split below", plain("_"), "Divide the pane in rows", icon.Rows, func(a *App) { a.splitPane(workspace.Below) }, noPane},
		{"close pane", plain("X"), "Close the pane", icon.Close, func(a *App) { a.closePane(a.focus) }, noPane},
		{"next pane", plain("]"), "Go to the next pane", icon.Right, func(a *App) { a.stepPane(1) }, noPane},
		{"previous pane", plain("["), "Go to the pane before", icon.Left, func(a *App) { a.stepPane(-1) }, noPane},
		{"edit", plain("E"), "Edit the program, or close it", icon.Pencil, (*App).toggleEdit, func(a *App) bool { return !a.canEdit(a.focused()) }},
		{"open line", plain("O"), "Open the line in your editor", icon.Pencil, (*App).openLine, func(a *App) bool { _, _, ok := a.selectedLine(); return !ok }},
		{"place", plain("G"), "Place the goal on a PE, run again", icon.Compare, func(a *App) { d, task, _ := a.selectedTask(); a.beginPlacing(d, task) }, noGoal},
		{"note", plain("N"), "Write a note at the task", icon.Note, func(a *App) { d, task, _ := a.selectedTask(); a.beginNote(d, task) }, noTask},
		{"settings", plain("S"), "Settings of the pane", icon.Settings, (*App).toggleSettings, noPane},
		{"find", control("f"), "Find in the pane", icon.Search, (*App).beginFind, noFind},
		{"legends", plain("L"), "Show or hide the legends", icon.Info, func(a *App) { a.legends = !a.legends; a.changed = true }, noPane},
		{"dark", plain("D"), "Light or dark", icon.Moon, func(a *App) { a.edit(func(w *workspace.Workspace) error { w.Dark = !w.Dark; return nil }) }, nil},
		{"help", plain("h", "?", "F1"), "Show or hide this help", icon.Help, func(a *App) { a.help = !a.help; a.changed = true }, nil},
	}
}

func noTraces(a *App) bool { return len(a.State.Shared.Traces) == 0 }

func notLive(a *App) bool { d := a.focused(); return d == nil || d.live == nil || d.run == nil }

func noTask(a *App) bool { _, _, ok := a.selectedTask(); return !ok }

func noGoal(a *App) bool { d, _, ok := a.selectedTask(); return !ok || !a.canEdit(d) }

func noPane(a *App) bool { return a.Pane(a.focus) == nil }

// commandKeys runs the command whose key was pressed and that no widget took.
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

// perform runs a command unless it makes no sense now.
func (a *App) perform(cmd *command) {
	if cmd.off == nil || !cmd.off(a) {
		cmd.do(a)
		a.changed = true
	}
}

// commandNamed is the command of that name.
func (a *App) commandNamed(name string) *command {
	for i := range a.commands {
		if a.commands[i].name == name {
			return &a.commands[i]
		}
	}
	panic(fmt.Sprintf("no command is named %q", name))
}

// tip is what a button for a command says of it.
func (cmd *command) tip() string {
	if len(cmd.keys) == 0 {
		return cmd.doc
	}
	return cmd.doc + " (" + cmd.keys[0].String() + ")"
}

// item is a command as a line of a menu.
func (a *App) item(name string) ui.Item {
	cmd := a.commandNamed(name)
	it := ui.Item{Label: cmd.doc, Icon: cmd.glyph, Off: cmd.off != nil && cmd.off(a)}
	if len(cmd.keys) > 0 {
		it.Keys = cmd.keys[0].String()
	}
	return it
}
