package draw

import (
	"strings"

	"whorl/cmd/whorl/internal/command"
	"whorl/visual/view"
)

// The tables of this file list the uses of render where each flag has an effect. Any other use refuses the flag.

// The flags of render have an effect in the picture of a whole workspace.
var workspaceScopes = []command.Scope[bool]{
	{Flags: []string{"output", "size", "font", "legend", "background", "processor", "merge", "binary", "source", "program"}},
	{
		Flags: []string{"view", "color", "palette", "max-memory", "set", "against", "notes", "until", "select", "filter", "window", "camera", "detail", "network"},
		In:    func(bool) bool { return false }, Only: "is for the picture of a trace: the panes of the workspace have their own",
	},
}

// The flags of render have an effect with a network. The view beside it is none, or the one that shows its modules.
var networkScopes = []command.Scope[string]{
	{Flags: []string{"network", "output", "size", "font", "legend", "processor", "merge", "binary", "source", "program"}},
	{
		Flags: []string{"view"}, In: func(name string) bool { k, err := FindView(name); return err == nil && k.Modules },
		Only: "is for a picture without --network, or is modules: a display of the network names the view",
	},
	{
		Flags: []string{"color", "palette", "background", "max-memory", "set", "against", "notes", "until", "select", "filter", "window", "camera", "detail"},
		In:    func(string) bool { return false }, Only: "is for a picture without --network: the modules of the network have the parameters",
	},
}

// renderScopes lists the views where the flags of render have an effect.
var renderScopes = []command.Scope[*view.Kind]{
	{Flags: []string{"view", "network", "output", "size", "font", "color", "palette", "background", "legend", "max-memory", "set", "select", "filter", "window", "camera", "against", "processor", "merge", "binary", "source", "program"}},
	viewScope("notes", "show notes", view.Implements[view.Annotated]),
	viewScope("detail", "show or outline the lines of the detail", showsDetail),
	viewScope("until", "show the run until a time", func(k *view.Kind) bool { return !k.Whole }),
}

// viewScope returns the scope of a flag of render that has an effect only in the views where in returns true. The message of a refusal
// describes these views by activity, such as "show notes", and lists them.
func viewScope(flag, activity string, in func(*view.Kind) bool) command.Scope[*view.Kind] {
	return command.Scope[*view.Kind]{Flags: []string{flag}, In: in, Only: "is for views that " + activity + ": " + strings.Join(ViewNames(in), ", ")}
}

// showsDetail reports whether the pictures of a view show the lines of the detail, or where they are.
func showsDetail(k *view.Kind) bool {
	return view.Implements[view.Shower](k) || view.Implements[view.Outliner](k)
}

// shows reports whether a view has a parameter.
func shows(k *view.Kind, param string) bool {
	_, err := k.Param(param)
	return err == nil
}
