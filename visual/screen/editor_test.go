//go:build window && !js

package screen

import (
	"slices"
	"strings"
	"testing"
)

func TestEditorCommand(t *testing.T) {
	for _, c := range []struct {
		env, programs, want string
	}{
		{"EDITOR=emacsclient -n", "", "emacsclient|-n|+7|/a b/x.f90"},
		{"EDITOR=vi", "xterm", "xterm|-e|vi|+7|/a b/x.f90"},
		{"EDITOR=/usr/bin/nvim;TERMINAL=foot", "xterm", "foot|-e|/usr/bin/nvim|+7|/a b/x.f90"},
		{"EDITOR=nano", "konsole gnome-terminal", "gnome-terminal|--|nano|+7|/a b/x.f90"},
		{"EDITOR=nano", "", "nano needs a terminal, but none was found: set TERMINAL, or WHORL_EDITOR"},
		{"EDITOR=vi;VISUAL=code --wait", "", "code|--wait|-g|/a b/x.f90:7"},
		{"VISUAL=subl", "", "subl|/a b/x.f90:7"},
		{"VISUAL=kate", "", "kate|--line|7|/a b/x.f90"},
		{"VISUAL=kate;WHORL_EDITOR=gedit", "", "gedit|+7|/a b/x.f90"},
		{"WHORL_EDITOR=ed -l {line} {file}", "", "ed|-l|7|/a b/x.f90"},
		{"WHORL_EDITOR=vscode://file{file}:{line}", "xdg-open", "xdg-open|vscode://file/a%20b/x.f90:7"},
		{"WHORL_EDITOR=vscode://file{file}:{line}", "", "no program opens vscode://file/a%20b/x.f90:7: install xdg-open"},
		{"", "xterm", errNoEditor.Error()},
	} {
		env := map[string]string{}
		for part := range strings.SplitSeq(c.env, ";") {
			name, value, _ := strings.Cut(part, "=")
			env[name] = value
		}
		has := func(p string) bool { return slices.Contains(strings.Fields(c.programs), p) }
		args, err := editorCommand(func(name string) string { return env[name] }, has, "/a b/x.f90", 7)
		got := strings.Join(args, "|")
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.env, got, c.want)
		}
	}
}
