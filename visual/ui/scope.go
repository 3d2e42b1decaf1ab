package ui

// Tip shows a tooltip while the pointer rests on r.
func (c *Context) Tip(r Rect, text string) {
	if text != "" {
		c.put(c.ID("tip:"+text), r, wantsTip, text)
	}
}

// Scope puts a name and a slash before the names of the widgets called until Unscope.
func (c *Context) Scope(name string) {
	c.scopes = append(c.scopes, c.scope)
	c.scope = c.scope.Child(name).Child("/")
}

// Unscope ends the innermost Scope.
func (c *Context) Unscope() {
	if n := len(c.scopes); n > 0 {
		c.scope, c.scopes = c.scopes[n-1], c.scopes[:n-1]
	}
}

// ID returns the id of a name in the current scope.
func (c *Context) ID(name string) ID { return c.scope.Child(name) }

// Shortcut reports whether a key was pressed with exactly these modifiers and no widget took it; call it after the widgets. Letters match
// in either case when a modifier is held. While a menu or dialog is open there are no shortcuts.
func (c *Context) Shortcut(mods Mods, name string) bool {
	if c.ev == nil || c.ev.Kind != Key || c.keyLayer > c.layer {
		return false
	}
	held, got := c.ev.Mods, c.ev.Name
	if mods&Control != 0 && held&Meta != 0 {
		held = held&^Meta | Control
	}
	if len(name) == 1 && len(got) == 1 && mods != 0 {
		name, got = lower(name), lower(got)
	} else if len(name) == 1 && mods == 0 {
		held &^= Shift // Shift is part of the character
	}
	if held != mods || got != name {
		return false
	}
	c.TakeEvent()
	return true
}

// lower returns an ASCII letter in lower case.
func lower(s string) string {
	if s[0] >= 'A' && s[0] <= 'Z' {
		return string(s[0] + 'a' - 'A')
	}
	return s
}
