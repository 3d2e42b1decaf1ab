package app

import (
	"fmt"

	"whorl/visual/app/keys"
	"whorl/visual/app/outbox"
	"whorl/visual/app/sharing"
	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// A command is an action of keys, buttons and menu items.
type command struct {
	name string
	keys []keys.Key // the first is the one that is shown
	doc  string
	icon icon.Icon
	do   func(a *App)
	off  func(a *App) bool // it is disabled; nil for never
}

// commands lists all commands in the order of the help. Small letters are keys of the views, except h.
func commands() []command {
	return []command{
		{"open", keys.Control("o"), "Open a trace or a program", icon.Open, func(a *App) { a.chooseFile() }, nil},
		{"save", keys.Control("s"), "Save the workspace", icon.Save, func(a *App) { a.saving.Save() }, noTraces},
		{"save as", []keys.Key{{Mods: ui.Control | ui.Shift, Name: "s"}}, "Save the workspace as", icon.Save, func(a *App) { a.saving.SaveAs() }, noTraces},
		{"picture", keys.Plain("P"), "Save a picture", icon.Save, func(a *App) { a.export.Begin() }, noPane},
		{"undo", keys.Control("z"), "Undo", icon.Undo, func(a *App) { a.actions.Apply(view.Action{Do: view.UndoAction}) }, func(a *App) bool { return !a.model.CanUndo() }},
		{"redo", []keys.Key{{Mods: ui.Control, Name: "y"}, {Mods: ui.Control | ui.Shift, Name: "z"}}, "Redo", icon.Redo, func(a *App) { a.actions.Apply(view.Action{Do: view.RedoAction}) }, func(a *App) bool { return !a.model.CanRedo() }},
		{"run", keys.Plain("R"), "Run a program", icon.Play, func(a *App) { a.togglePanel(&a.runs.Open, &a.whatIf.Open) }, noRunner},
		{"compare", keys.Plain("C"), "Compare runs side by side", icon.Compare, func(a *App) { a.compare.Toggle(a.runs.Open) }, noRunner},
		{"what if", keys.Plain("W"), "What if it ran with other settings", icon.Settings, func(a *App) { a.togglePanel(&a.whatIf.Open, &a.runs.Open) }, noTraces},
		{"table", keys.Plain("T"), "Table of the compared runs", icon.Table, func(a *App) { a.measuring.ShowTable() }, noPane},
		{"copy table", []keys.Key{{Mods: ui.Control, Name: "c"}}, "Copy the table as CSV", icon.Table, func(a *App) {
			a.out.Ask(outbox.Ask{Do: outbox.CopyText, Text: a.model.Table().CSV()})
			a.out.Say(outbox.AboutAction, "The table is copied as CSV")
		}, noTable},
		{"state", keys.Plain("Q"), "Queues and answer of the run", icon.Table, func(a *App) { a.state.Open = !a.state.Open }, notLive},
		{"step", keys.Plain("."), "One reduction forward", icon.Step, func(a *App) { a.launcher.StepRun(1) }, notLive},
		{"step back", keys.Plain(","), "One reduction back", icon.Back, func(a *App) { a.launcher.StepRun(-1) }, notLive},
		{"play", keys.Plain(" "), "Play the run or the time, or pause", icon.Play, func(a *App) { a.play() }, noTraces},
		{"slower", keys.Plain("<"), "Play at half the speed", icon.Minus, func(a *App) { a.actions.SpeedUp(-1) }, noTraces},
		{"faster", keys.Plain(">"), "Play at twice the speed", icon.Plus, func(a *App) { a.actions.SpeedUp(1) }, noTraces},
		{"parts", keys.Plain("%"), "Same time, or same part of each run", icon.Compare, func(a *App) { a.actions.Flag(view.SetParts, !a.model.State.Shared.Parts) }, notComparing},
		{"apart", keys.Plain("K"), "Link the pictures of runs, or not", icon.Link, func(a *App) { a.actions.Flag(view.SetApart, !a.model.State.Shared.Apart) }, notComparing},
		{"sound", keys.Plain("M"), "Hear what plays, or not", icon.Sound, func(a *App) { a.hearing.Toggle() }, noTraces},
		{"split right", keys.Plain("|"), "Divide the pane side by side", icon.Columns, func(a *App) { a.actions.SplitPane(workspace.ToRight) }, noPane},
		{"split below", keys.Plain("_"), "Divide the pane in rows", icon.Rows, func(a *App) { a.actions.SplitPane(workspace.Below) }, noPane},
		{"duplicate", keys.Plain("U"), "Show the pane a second time, as a tab", icon.Duplicate, func(a *App) { a.actions.SplitPane(workspace.AsTab) }, noPane},
		{"maximise", keys.Plain("F"), "Maximise the pane, or show all panes", icon.Fit, func(a *App) { a.tiles.Maximise() }, noPane},
		{"detach", keys.Plain("J"), "Move the pane to a window of its own", icon.Detach, func(a *App) { a.windows.Detach() }, noPane},
		{"detach again", []keys.Key{{Mods: ui.Alt, Name: "j"}}, "Move the pane to the window opened last", icon.Detach, func(a *App) { a.windows.DetachMore() }, noPane},
		{"move left", keys.Arrow("ArrowLeft"), "Move the pane to the left", icon.Left, func(a *App) { a.tiles.MoveTo(workspace.ToLeft) }, noPane},
		{"move right", keys.Arrow("ArrowRight"), "Move the pane to the right", icon.Right, func(a *App) { a.tiles.MoveTo(workspace.ToRight) }, noPane},
		{"move up", keys.Arrow("ArrowUp"), "Move the pane up", icon.Up, func(a *App) { a.tiles.MoveTo(workspace.Above) }, noPane},
		{"move down", keys.Arrow("ArrowDown"), "Move the pane down", icon.Down, func(a *App) { a.tiles.MoveTo(workspace.Below) }, noPane},
		{"close pane", keys.Plain("X"), "Close the pane", icon.Close, func(a *App) { a.actions.ClosePane(a.model.Focus) }, noPane},
		{"next pane", keys.Plain("]"), "Go to the next pane", icon.Right, func(a *App) { a.stepPane(1) }, noPane},
		{"previous pane", keys.Plain("["), "Go to the previous pane", icon.Left, func(a *App) { a.stepPane(-1) }, noPane},
		{"edit", keys.Plain("E"), "Edit the program, or close it", icon.Pencil, func(a *App) { a.sources.Toggle() }, func(a *App) bool { return !a.sources.CanEdit(a.model.Focused()) }},
		{"open line", keys.Plain("O"), "Open the line in your editor", icon.Pencil, func(a *App) { a.openLine() }, func(a *App) bool { return !a.model.HasLine() }},
		{"place", keys.Plain("G"), "Place the goal on a PE, run again", icon.Compare, func(a *App) {
			d, task, _ := a.model.SelectedTask()
			a.out.Check(outbox.AboutAction, a.placing.Begin(d, task))
		}, noGoal},
		{"note", keys.Plain("A"), "Write a note at the task", icon.Note, func(a *App) {
			d, task, _ := a.model.SelectedTask()
			a.note.begin(a.model.State.Shared.Annotations, d, task)
		}, noTask},
		{"questions", keys.Plain("I"), "Arrange the window for a question", icon.Grid, func(a *App) { a.questions.Open = !a.questions.Open }, noPane},
		{"selection back", keys.Plain("("), "Select what was selected before", icon.Left, func(a *App) { a.actions.Apply(view.Action{Do: view.SelectBack}) }, func(a *App) bool { return len(a.model.State.Shared.Past) == 0 }},
		{"selection forward", keys.Plain(")"), "Go forward through the selections", icon.Right, func(a *App) { a.actions.Apply(view.Action{Do: view.SelectNext}) }, func(a *App) bool { return len(a.model.State.Shared.Future) == 0 }},
		{"expression", keys.Plain("V"), "Write the selection as an expression", icon.Search, func(a *App) { a.field.Begins = true }, noPane},
		{"keep", keys.Plain("B"), "Keep the selection under a name", icon.Note, func(a *App) { a.field.Name() }, noSelection},
		{"filter", keys.Plain("&"), "Show only what is selected, in all views", icon.Filter, func(a *App) { a.filters.Begin() }, noPane},
		{"unfilter", keys.Plain("*"), "Show all of the trace again", icon.Filter, func(a *App) { a.filters.Clear(a.selections.Target()) }, noPane},
		{"copy command", keys.Plain("Y"), "Copy the command that draws the pane", icon.Code, func(a *App) { a.export.CopyCommand() }, noPane},
		{"settings", keys.Plain("S"), "Settings of the pane", icon.Settings, func(a *App) { a.settings.Toggle(a.model.Focus) }, noPane},
		{"modules", keys.Plain("H"), "Modules behind the picture", icon.Fork, func(a *App) { a.actions.ToggleModules() }, noPane},
		{"find", keys.Control("f"), "Find in the pane", icon.Search, func(a *App) { a.settings.Find(a.model.Focus) }, noPane},
		{"legends", keys.Plain("L"), "Show or hide the legends", icon.Info, func(a *App) { a.painter.Legends = !a.painter.Legends }, noPane},
		{"dark", keys.Plain("D"), "Light or dark", icon.Moon, func(a *App) { a.actions.Edit(func(w *workspace.Workspace) error { w.Dark = !w.Dark; return nil }) }, nil},
		{"display", keys.Plain("Z"), "Size of text and controls, and colours", icon.Settings, func(a *App) { a.display.open = !a.display.open }, nil},
		{"larger", []keys.Key{{Mods: ui.Alt, Name: "+"}, {Mods: ui.Alt, Name: "="}, {Mods: ui.Alt | ui.Shift, Name: "+"}}, "Larger text and controls", icon.Plus, func(a *App) { a.display.step(1) }, func(a *App) bool { return a.display.chosen == sizes[len(sizes)-1] }},
		{"smaller", []keys.Key{{Mods: ui.Alt, Name: "-"}}, "Smaller text and controls", icon.Minus, func(a *App) { a.display.step(-1) }, func(a *App) bool { return a.display.chosen == sizes[0] }},
		{"share", keys.Plain("$"), "Share this window with others", icon.People, func(a *App) { a.session.BeginHost() }, func(a *App) bool { return !a.session.CanHost() }},
		{"lessons", keys.Plain("!"), "Lessons", icon.Info, func(a *App) { a.lessons.Open = !a.lessons.Open }, noLessons},
		{"people", keys.Plain("@"), "People of the shared session", icon.People, func(a *App) { a.session.TogglePanel() }, notShared},
		{"roam", keys.Plain(sharing.FollowKey), "Follow the session, or roam", icon.People, func(a *App) { a.session.ToggleRoam() }, notShared},
		{"hand", keys.Plain("^"), "Raise your hand in the session, or lower it", icon.Hand, func(a *App) { a.session.RaiseHand() }, notShared},
		{"quick", []keys.Key{{Mods: ui.Control, Name: "k"}, {Mods: ui.Control | ui.Shift, Name: "p"}}, "Find a command, a view, a setting or a part of the trace", icon.Search, func(a *App) { a.quick.Begin() }, nil},
		{"help", keys.Plain("h", "?", "F1"), "Show or hide this help", icon.Help, func(a *App) { a.help.Open = !a.help.Open }, nil},
	}
}

func noTraces(a *App) bool { return len(a.model.State.Shared.Traces) == 0 }

func noRunner(a *App) bool { return a.model.Docs.Runner == nil }

func notComparing(a *App) bool { return !a.model.Clock.Comparing() }

func notShared(a *App) bool { return !a.session.Joined() }

func noLessons(a *App) bool { return !a.lessons.Available() }

func noTable(a *App) bool { return a.model.Table() == nil }

func notLive(a *App) bool { d := a.model.Focused(); return d == nil || d.Live == nil || d.Run == nil }

func noTask(a *App) bool { _, _, ok := a.model.SelectedTask(); return !ok }

func noGoal(a *App) bool { d, _, ok := a.model.SelectedTask(); return !ok || !a.sources.CanEdit(d) }

func noSelection(a *App) bool { return a.model.State.Shared.Selection.Empty() }

func noPane(a *App) bool { return a.model.Pane(a.model.Focus) == nil }

// commandKeys runs the command whose key was pressed, if no widget took the key.
func (a *App) commandKeys(c *ui.Context) {
	for i := range a.commands {
		cmd := &a.commands[i]
		for _, k := range cmd.keys {
			if c.Shortcut(k.Mods, k.Name) {
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
		if a.window.W < widget.NarrowWidth {
			a.closeOthers(cmd.name)
		}
		a.out.Redraw()
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
func (a *App) item(name string) widget.Item {
	cmd := a.command(name)
	return widget.Item{Label: cmd.doc, Icon: cmd.icon, Off: cmd.off != nil && cmd.off(a), Keys: cmd.keys[0].String()}
}

// keyBlocks lists the keys of the window and of its views.
func (a *App) keyBlocks() []keys.Block {
	var window []keys.Line
	for _, cmd := range a.commands {
		window = append(window, keys.NewLine(cmd.doc, cmd.keys...))
	}
	return keys.Blocks(window, a.model.Arranger.Kinds)
}
