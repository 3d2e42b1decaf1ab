// Package keys names the keys of the window and draws the dialog that lists them.
package keys

import (
	"strings"

	"whorl/visual/ui"
)

// A Key is a key with the modifiers that must be held.
type Key struct {
	Mods ui.Mods
	Name string
}

// String returns the key as it is printed on keyboards, such as "Ctrl+S".
func (k Key) String() string {
	names := map[string]string{" ": "Space", "ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓", "Escape": "Esc"}
	key := k.Name
	if n, ok := names[key]; ok {
		key = n
	} else if k.Mods != 0 && len(key) == 1 {
		key = strings.ToUpper(key)
	} else if len(key) == 1 && key[0] >= 'A' && key[0] <= 'Z' {
		key = "Shift+" + key // the small letter is another key
	}
	for _, m := range []struct {
		mod  ui.Mods
		name string
	}{{ui.Shift, "Shift"}, {ui.Alt, "Alt"}, {ui.Control, "Ctrl"}} {
		if k.Mods&m.mod != 0 {
			key = m.name + "+" + key
		}
	}
	return key
}

// Plain returns keys without modifiers.
func Plain(names ...string) []Key {
	all := make([]Key, len(names))
	for i, name := range names {
		all[i] = Key{0, name}
	}
	return all
}

// Arrow returns an arrow key with Ctrl and Shift, which moves panes.
func Arrow(name string) []Key { return []Key{{ui.Control | ui.Shift, name}} }

// Control returns a key with Ctrl.
func Control(name string) []Key { return []Key{{ui.Control, name}} }
