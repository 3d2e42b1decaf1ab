package ui

import (
	"fmt"
	"slices"
	"time"

	"whorl/visual/icon"
	"whorl/visual/scene"
)

// Severity is the severity of a message.
type Severity uint8

// The severities.
const (
	Info Severity = iota
	Success
	Warning
	Failure
)

// SeverityLook returns the colour and the icon of a severity.
func (c *Context) SeverityLook(s Severity) (scene.Color, icon.Icon) {
	switch s {
	case Success:
		return c.Theme.Good, icon.Check
	case Warning:
		return c.Theme.Warn, icon.Warning
	case Failure:
		return c.Theme.Danger, icon.Failure
	}
	return c.Theme.Link, icon.Info
}

type message struct {
	severity Severity
	topic    string
	text     string
	until    time.Duration // when it goes; 0 until it is first shown
}

const (
	messageTime  = 6 * time.Second
	messageLines = 8
	maxMessages  = 100 // the one shown and those that wait
)

// Notify shows a message for a while; a failure stays until the user closes it. The newest message is shown. It replaces one with the same
// topic or text, and those that only told of a success. Older warnings and failures are shown again once it has gone.
func (st *State) Notify(s Severity, topic, text string) {
	st.messages = slices.DeleteFunc(st.messages, func(m message) bool {
		return m.severity <= Success || m.text == text || topic != "" && m.topic == topic
	})
	st.messages = append(st.messages[max(len(st.messages)-maxMessages+1, 0):], message{severity: s, topic: topic, text: text})
}

// Mend removes the message of a topic, whose cause is gone. It reports whether there was one.
func (st *State) Mend(topic string) bool {
	n := len(st.messages)
	st.messages = slices.DeleteFunc(st.messages, func(m message) bool { return m.topic == topic })
	return len(st.messages) < n
}

// newest returns the message that is shown, nil for none. It removes one whose time is over.
func (c *Context) newest() *message {
	st := c.st
	for n := len(st.messages); n > 0; n-- {
		m := &st.messages[n-1]
		if m.until == 0 {
			m.until = c.in.Now + messageTime
		}
		if m.severity == Failure {
			return m
		}
		if c.in.Now < m.until {
			c.Wake(m.until)
			return m
		}
		st.messages = st.messages[:n-1]
	}
	return nil
}

// PlaceMessage gives the message a place that covers nothing: the room in a bar if the message fits there in one line, otherwise rows cut off
// the top of rest. It reports whether the message is in the bar.
func (c *Context) PlaceMessage(bar Rect, rest *Rect) bool {
	m := c.newest()
	if m == nil {
		return false
	}
	side := c.messageSides()
	if w := c.TextWidth(m.text, Type{}) + side + c.Px(4); w <= bar.W() && c.ParagraphHeight(w, m.text, Type{}) < 2*c.messageLine() {
		c.message = bar.Center(w, c.messageLine()+2*c.Px(4))
		return true
	}
	h := min(c.ParagraphHeight(rest.W()-side, m.text, Type{}), messageLines*c.messageLine())
	c.message = rest.CutTop(h + 2*c.Px(4))
	return false
}

func (c *Context) messageLine() float32 { return Whole(c.Style(Type{}).Size * 1.45) }

// messageSides returns the width that the icon, the number of other messages and the cross take beside the text.
func (c *Context) messageSides() float32 { return c.Px(36) + c.Px(32) + c.othersWidth() }

func (c *Context) othersWidth() float32 {
	if s := c.others(); s != "" {
		return c.TextWidth(s, Type{}) + c.Px(8)
	}
	return 0
}

// others says how many messages wait behind the one shown, "" for none.
func (c *Context) others() string {
	if n := len(c.st.messages) - 1; n > 0 {
		return fmt.Sprintf("+%d", n)
	}
	return ""
}

// drawMessage draws the newest message in its place. Its cross removes it.
func (c *Context) drawMessage() {
	if c.message.Empty() || len(c.st.messages) == 0 {
		return
	}
	m, box, line := c.st.messages[len(c.st.messages)-1], c.message, c.messageLine()
	id := rootScope.Child("message")
	c.put(id.Child("/ground"), box, wantsPointer, "")
	c.Describe(id.Child("/ground"), box, Accessible{Role: RoleStatus, Name: m.text})
	c.Box(box, c.Px(Corner), c.Theme.Raised, c.Theme.Line)
	col, sign := c.SeverityLook(m.severity)
	in := box.Inset(0, c.Px(4))
	left := in.CutLeft(c.Px(36))
	c.Fill(Rect{box.X0 + c.Hair(), box.Y0 + c.Px(4), box.X0 + c.Px(3) + c.Hair(), box.Y1 - c.Px(4)}, col)
	c.Icon(left.CutTop(line), sign, col)
	shut := in.CutRight(c.Px(30))
	shut = shut.CutTop(line)
	if c.Fired(c.SmallButton(shut.Center(c.Px(24), c.Px(24)), id, icon.Close, "Dismiss", 0)) {
		c.st.messages = c.st.messages[:len(c.st.messages)-1]
		c.again = true
	}
	if s := c.others(); s != "" {
		n := in.CutRight(c.othersWidth())
		n = n.CutTop(line)
		c.Label(n, s, Type{Color: c.Theme.Muted})
		c.Tip(n, "Older messages: close this one to see them")
	}
	c.Paragraph(in, m.text, Type{})
}
