package widget

import (
	"slices"
	"strings"
	"time"

	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// An Item is an item of a menu. The zero Item is a line between groups.
type Item struct {
	Label string
	Doc   string // what it is for, in a second line; a menu with such items is searched by typing
	Keys  string // the shortcut
	Icon  icon.Icon
	Check bool   // the item is on, or chosen
	Off   bool   // the item is disabled
	Why   string // the reason why it is disabled
}

// menu is the state of an open menu.
type menu struct {
	current int // the item that Enter chooses
	scroll  float64
	fresh   bool
	typed   string        // the letters of a label typed so far, or the searched text
	until   time.Duration // when typing begins anew
	search  bool          // only items with the typed text in their label or Doc are shown
}

// shows reports whether the search leaves an item.
func (m *menu) shows(it *Item) bool {
	return !m.search || m.typed == "" || strings.Contains(strings.ToLower(it.Label+"\n"+it.Doc), m.typed)
}

// searchHint stands where the search of a menu will.
const searchHint = "Type to search"

// typing is the longest time between two letters of a label.
const typing = time.Second

// MenuButton draws a button that opens a menu below it. It returns the chosen item, or -1.
func MenuButton(c *ui.Context, r ui.Rect, name string, b ButtonOptions, items []Item) int {
	id := c.ID(name)
	_, shown := c.Popup(id)
	b.On = b.On || shown
	t := drawButton(c, r, id, b)
	open := c.Fired(t) || t.Down
	if e := c.Key(t); e != nil && e.Name == "ArrowDown" {
		c.TakeEvent()
		open = true
	}
	if open && !shown {
		openMenu(c, id, r)
	}
	return showMenu(c, id, items, 0)
}

// OpenMenu opens a menu at a point, as the secondary button does.
func OpenMenu(c *ui.Context, name string, x, y float32) {
	openMenu(c, c.ID(name), ui.Rect{X0: x, Y0: y, X1: x, Y1: y})
}

// Menu draws a menu while it is open. It returns the chosen item, or -1.
func Menu(c *ui.Context, name string, items []Item) int { return showMenu(c, c.ID(name), items, 0) }

// Dropdown draws a choice of one of many. It reports whether the choice was changed.
func Dropdown(c *ui.Context, r ui.Rect, name string, labels []string, chosen *int) bool {
	id := c.ID(name)
	tip, label := "", ""
	if *chosen >= 0 && *chosen < len(labels) {
		label = labels[*chosen]
	}
	room := r
	room.X0 += c.Px(ui.Gap)
	room.X1 = max(room.X1-c.Px(ui.Icon+8), room.X0)
	_, shown := c.Popup(id)
	if !shown {
		tip = cutTip(c, room, label)
	}
	t := c.Touch(id, r, ui.WantsFocus, tip)
	c.Describe(id, r, ui.Accessible{Role: ui.RoleButton, Name: spoken(name), Value: label})
	was := *chosen
	open := t.Down || c.Fired(t)
	if e := c.Key(t); e != nil {
		switch e.Name {
		case "ArrowDown":
			*chosen = min(*chosen+1, len(labels)-1)
			c.TakeEvent()
		case "ArrowUp":
			*chosen = max(*chosen-1, 0)
			c.TakeEvent()
		}
	}
	if open && !shown && len(labels) > 0 {
		openMenu(c, id, r)
		ui.Data[menu](c, id.Child("//menu")).current = *chosen
		shown = true
	}
	th := &c.Theme
	ground, border, ink := buttonColors(c, ButtonOptions{}, t)
	if shown {
		border = th.Accent
	}
	c.Box(r, c.Px(ui.Corner), ground, border)
	c.Write(room, label, ui.Type{Color: ink})
	if mark := (ui.Rect{X0: r.X1 - c.Px(ui.Icon+6), Y0: r.Y0, X1: r.X1 - c.Px(6), Y1: r.Y1}); mark.X0 >= r.X0 {
		if !c.Disabled {
			ink = th.Muted
		}
		c.Icon(mark, icon.Down, ink)
	}
	if t.Ring {
		c.FocusRing(r, c.Px(ui.Corner))
	}
	items := make([]Item, len(labels))
	if shown {
		for i, l := range labels {
			items[i] = Item{Label: l, Check: i == *chosen}
		}
		if n := showMenu(c, id, items, r.W()); n >= 0 {
			*chosen = n
		}
	}
	return *chosen != was
}

// openMenu opens a menu beside a rectangle, with no item chosen.
func openMenu(c *ui.Context, id ui.ID, beside ui.Rect) {
	*ui.Data[menu](c, id.Child("//menu")) = menu{current: -1, fresh: true}
	c.OpenPopup(id, beside)
}

// showMenu draws an open menu; least is its smallest width.
func showMenu(c *ui.Context, id ui.ID, items []Item, least float32) int {
	beside, open := c.Popup(id)
	if !open {
		return -1
	}
	m := ui.Data[menu](c, id.Child("//menu"))
	m.search = slices.ContainsFunc(items, func(it Item) bool { return it.Doc != "" })
	row, rule, pad := c.Px(c.Theme.Row+4), c.Px(9), c.Px(4)
	width, keys, height := float32(0), float32(0), 2*pad
	icons, head := float32(0), float32(0)
	if m.search {
		head = row
		width = c.Px(ui.Icon+8) + c.TextWidth(searchHint, ui.Type{})
		height += head
	}
	for _, it := range items {
		w := c.TextWidth(it.Label, ui.Type{})
		if it.Why != "" {
			w += c.Px(12) + c.TextWidth(it.Why, ui.Type{Size: ui.Small})
		}
		if it.Doc != "" {
			w = max(w, c.TextWidth(it.Doc, ui.Type{Size: ui.Small}))
			height += row - c.Px(8)
		}
		width = max(width, w)
		if it.Keys != "" && shortcuts(c) {
			keys = max(keys, c.TextWidth(it.Keys, ui.Type{Size: ui.Small})+c.Px(24))
		}
		if it.Icon != icon.None || it.Check {
			icons = c.Px(ui.Icon + 8)
		}
		height += row
		if it.Label == "" {
			height += rule - row
		}
	}
	width = max(min(ui.Whole(width+1)+keys+icons+2*(c.Px(12)+c.Hair()), c.Px(560)), least, c.Px(96))
	box := c.Beside(beside, width, min(height, c.Px(560)))
	defer c.Raise(id, box, false)()
	c.Float(box, c.Px(6), c.Theme.Raised)
	inner := box.Inset(c.Hair(), pad)
	scrolls := height > box.H()+0.5
	chosen := menuKeys(c, id, m, items)
	if m.search {
		top := inner.CutTop(head).Inset(c.Px(12), 0)
		c.Icon(top.CutLeft(icons+c.Px(ui.Icon+8)), icon.Search, c.Theme.Muted)
		if m.typed == "" {
			c.Write(top, searchHint, ui.Type{Color: c.Theme.Muted})
		} else {
			c.Write(top, m.typed, ui.Type{})
		}
	}
	c.Clip(inner)
	y := inner.Y0 - ui.Whole(float32(m.scroll))
	total := float32(0)
	for i, it := range items {
		h := row
		switch {
		case !m.shows(&it):
			continue
		case it.Label == "":
			h = rule
		case it.Doc != "":
			h += row - c.Px(8)
		}
		cell := ui.Rect{X0: inner.X0, Y0: y, X1: inner.X1, Y1: y + h}
		y += h
		total += h
		if i == m.current && m.fresh && scrolls { // show the chosen item
			m.scroll = float64(max(total-inner.H()/2, 0))
			c.Again()
		}
		if cell.Y1 <= inner.Y0 || cell.Y0 >= inner.Y1 {
			continue
		}
		if menuItem(c, id, i, items, cell.Inset(c.Px(3), 0), icons, m) {
			chosen = i
		}
	}
	c.Unclip()
	if scrolls {
		c.ScrollBar(id.Child("//bar"), ui.Rect{X0: inner.X1 - c.Px(10), Y0: inner.Y0, X1: inner.X1, Y1: inner.Y1}, &m.scroll, float64(total), float64(inner.H()), 1)
		c.WheelScroll(id.Child("//wheel"), inner, &m.scroll, float64(total), float64(inner.H()), 1)
	}
	m.fresh = false
	if chosen >= 0 {
		c.ClosePopup(id)
	}
	return chosen
}

// shortcuts reports whether menus show the keys of commands: a phone has no room for them, and no keys.
func shortcuts(c *ui.Context) bool { return c.Theme.Least == 0 || !Narrow(c) }

// itemID returns the id of an item: the name of the menu, a slash and the label. Only the first of equal labels has it.
func itemID(id ui.ID, items []Item, i int) ui.ID {
	part := id.Child("/" + items[i].Label)
	if slices.ContainsFunc(items[:i], func(it Item) bool { return it.Label == items[i].Label }) {
		part = part.Part(i)
	}
	return part
}

// menuItem draws an item in cell. It reports whether the pointer chose the item.
func menuItem(c *ui.Context, id ui.ID, i int, items []Item, cell ui.Rect, icons float32, m *menu) bool {
	th, it := &c.Theme, items[i]
	if it.Label == "" {
		Separator(c, cell.Inset(c.Px(4), 0))
		return false
	}
	c.Disabled = it.Off
	room := ui.Rect{X0: cell.X0 + c.Px(9) + icons, Y0: 0, X1: cell.X1 - c.Px(9), Y1: 1}
	tip := cutTip(c, room, it.Label)
	if it.Doc != "" && c.TextWidth(it.Doc, ui.Type{Size: ui.Small}) > room.W() {
		tip = it.Doc
	}
	if why := (ui.Type{Size: ui.Small}); it.Why != "" && c.TextWidth(it.Label, ui.Type{})+c.Px(12)+c.TextWidth(it.Why, why) > room.W() {
		tip = it.Label + ": " + it.Why
	}
	t := c.Touch(itemID(id, items, i), cell, 0, tip)
	c.Describe(itemID(id, items, i), cell, ui.Accessible{Role: ui.RoleItem, Name: it.Label, Value: it.Why, On: it.Check})
	if e := c.Input(); t.Hot && e != nil && e.Kind <= ui.Up { // the pointer was moved or pressed
		m.current = i
	}
	ink, muted := th.Ink, th.Muted
	if it.Off {
		ink, muted = th.Faint, th.Faint
	} else if m.current == i {
		c.Round(cell, c.Px(ui.Corner), th.Soft)
		muted = th.Ink
	}
	in := cell.Inset(c.Px(9), 0)
	if it.Doc != "" {
		doc := in.CutBottom(in.H() / 2)
		doc.CutLeft(icons)
		c.Write(doc.Move(0, -c.Px(3)), it.Doc, ui.Type{Size: ui.Small, Color: muted})
		in = in.Move(0, c.Px(2))
	}
	mark := in
	in.CutLeft(icons)
	switch {
	case it.Icon != icon.None:
		c.Icon(mark.CutLeft(c.Px(ui.Icon)), it.Icon, ink)
	case it.Check:
		c.Icon(mark.CutLeft(c.Px(ui.Icon)), icon.Check, ink)
	}
	if it.Keys != "" && shortcuts(c) {
		ty := ui.Type{Size: ui.Small, Color: muted, Align: scene.End}
		c.Write(in.CutRight(c.TextWidth(it.Keys, ty)), it.Keys, ty)
		in.CutRight(c.Px(12))
	}
	c.Disabled = false
	if it.Why != "" {
		c.Write(in.CutLeft(c.TextWidth(it.Label, ui.Type{})), it.Label, ui.Type{Color: ink})
		in.CutLeft(c.Px(12))
		c.Write(in, it.Why, ui.Type{Size: ui.Small, Color: th.Muted})
	} else {
		c.Write(in, it.Label, ui.Type{Color: ink})
	}
	// A press may have begun on the button that opened the menu.
	through := c.Drags(id) && c.Over(cell) && !it.Off
	if through && m.current != i {
		m.current = i
		c.Again()
	}
	return !it.Off && (t.Clicked || through && c.Released())
}

// menuKeys handles the keys of an open menu. It returns the item that Enter or the space bar chooses, or -1.
func menuKeys(c *ui.Context, id ui.ID, m *menu, items []Item) int {
	e := c.Event()
	if e == nil || e.Kind != ui.Key && e.Kind != ui.Text || !c.HasKeys() {
		return -1
	}
	if c.TakeEvent(); e.Kind == ui.Text {
		return -1
	}
	step := func(from, by int) {
		for i := from + by; i >= 0 && i < len(items); i += by {
			if items[i].Label != "" && !items[i].Off && m.shows(&items[i]) {
				m.current, m.fresh = i, true
				return
			}
		}
	}
	switch e.Name {
	case "ArrowDown":
		step(m.current, 1)
	case "ArrowUp":
		if m.current < 0 {
			m.current = len(items)
		}
		step(m.current, -1)
	case "Home":
		step(-1, 1)
	case "End":
		step(len(items), -1)
	case "Escape", "Tab", "ArrowLeft":
		c.ClosePopup(id)
	case "Enter", " ":
		if e.Name == " " && m.search && m.typed != "" {
			m.typed += " "
		} else if e.Name == " " && c.Now() < m.until && m.find(items, " ") {
			m.until = c.Now() + typing
		} else if m.current >= 0 && m.current < len(items) && !items[m.current].Off && items[m.current].Label != "" && m.shows(&items[m.current]) {
			return m.current
		}
	case "Backspace":
		if r := []rune(m.typed); m.search && len(r) > 0 {
			m.typed = string(r[:len(r)-1])
		}
	default:
		if len([]rune(e.Name)) != 1 || e.Mods.Command() {
			break
		}
		if m.search {
			m.typed, m.scroll = m.typed+strings.ToLower(e.Name), 0
			step(-1, 1)
		} else {
			if c.Now() >= m.until {
				m.typed = ""
			}
			m.until = c.Now() + typing
			m.find(items, e.Name)
		}
	}
	return -1
}

// find moves to the next item that begins with the letters typed so far and this one. It reports whether there is one. The same letter
// repeated steps through all items that begin with it.
func (m *menu) find(items []Item, letter string) bool {
	typed := m.typed + strings.ToLower(letter)
	from := max(m.current, 0) // an item that still matches stays
	if strings.Trim(typed, strings.ToLower(letter)) == "" {
		typed, from = strings.ToLower(letter), m.current+1
	}
	for k := range items {
		if i := (from + k) % len(items); !items[i].Off && strings.HasPrefix(strings.ToLower(items[i].Label), typed) {
			m.current, m.fresh, m.typed = i, true, typed
			return true
		}
	}
	return false
}
