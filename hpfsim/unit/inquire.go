package unit

import (
	"strings"

	"whorl/hpfsim/folder"
)

// About is the subject of an INQUIRE: a unit, or a file by its name.
type About struct {
	Number int
	File   string
	Named  bool // File is the name of the file
}

// Find returns the connection of the unit or of the file, nil for none.
func (t *Table) Find(a About) *Connection {
	if !a.Named {
		return t.units[a.Number]
	}
	name := strings.TrimRight(a.File, " ")
	var found *Connection
	for _, c := range t.units {
		if c.Name == name && c.window() != nil && (found == nil || c.Number > found.Number) {
			found = c
		}
	}
	return found
}

// Text answers an inquiry with a text.
func (t *Table) Text(a About, key string) string {
	c := t.Find(a)
	if key == "NAME" {
		switch {
		case c != nil:
			return c.Name
		case a.Named:
			return strings.TrimRight(a.File, " ")
		}
		return ""
	}
	if c == nil {
		switch key {
		case "SEQUENTIAL", "DIRECT", "STREAM", "FORMATTED", "UNFORMATTED", "READ", "WRITE", "READWRITE", "ENCODING":
			return "UNKNOWN"
		}
		return "UNDEFINED"
	}
	return c.text(key)
}

func yes(b bool) string {
	if b {
		return "YES"
	}
	return "NO"
}

// text answers an inquiry about a connection.
func (c *Connection) text(key string) string {
	switch key {
	case "ACCESS":
		return [...]string{Sequential: "SEQUENTIAL", Direct: "DIRECT", Stream: "STREAM"}[c.access]
	case "SEQUENTIAL":
		return yes(c.access == Sequential)
	case "DIRECT":
		return yes(c.access == Direct)
	case "STREAM":
		return yes(c.access == Stream)
	case "FORM":
		if c.formatted {
			return "FORMATTED"
		}
		return "UNFORMATTED"
	case "FORMATTED":
		return yes(c.formatted)
	case "UNFORMATTED":
		return yes(!c.formatted)
	case "ACTION":
		switch {
		case c.reads && c.writes:
			return "READWRITE"
		case c.reads:
			return "READ"
		}
		return "WRITE"
	case "READ":
		return yes(c.reads)
	case "WRITE":
		return yes(c.writes)
	case "READWRITE":
		return yes(c.reads && c.writes)
	case "POSITION":
		return c.position()
	}
	if !c.formatted {
		return "UNDEFINED"
	}
	return c.mode(key)
}

// position answers POSITION=, an inquiry about the position of a sequential file.
func (c *Connection) position() string {
	w := c.window()
	switch {
	case c.access == Direct:
		return "UNDEFINED"
	case w == nil, w.pos > 0 && w.pos < w.size:
		return "ASIS"
	case w.pos == 0:
		return "REWIND"
	}
	return "APPEND"
}

// mode answers an inquiry about the way in which values are read and written.
func (c *Connection) mode(key string) string {
	switch key {
	case "BLANK":
		if c.Zeros {
			return "ZERO"
		}
		return "NULL"
	case "DELIM":
		switch c.Delim {
		case '"':
			return "QUOTE"
		case '\'':
			return "APOSTROPHE"
		}
		return "NONE"
	case "PAD":
		return yes(c.Padded)
	case "SIGN":
		if c.Plus {
			return "PLUS"
		}
		return "PROCESSOR_DEFINED"
	case "DECIMAL":
		return "POINT"
	case "ROUND", "ENCODING":
		return "UNDEFINED"
	}
	return "UNKNOWN"
}

// Number answers an inquiry with a number. Logical answers are 0 and 1.
func (t *Table) Number(a About, key string) int64 {
	c := t.Find(a)
	truth := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	switch key {
	case "EXIST":
		if a.Named {
			return truth(t.folder.Exists(strings.TrimRight(a.File, " ")))
		}
		return truth(c != nil || a.Number >= 0)
	case "OPENED":
		return truth(c != nil)
	case "NAMED":
		return truth(c != nil && c.Name != "")
	}
	if c == nil {
		if key == "SIZE" && a.Named {
			return t.fileSize(strings.TrimRight(a.File, " "))
		}
		if key == "NEXTREC" || key == "POS" {
			return 0
		}
		return -1
	}
	w := c.window()
	switch {
	case key == "NUMBER":
		return int64(c.Number)
	case key == "RECL" && c.access == Stream:
		return -2
	case key == "RECL":
		return c.recl
	case key == "NEXTREC" && c.access == Direct:
		return max(c.record, 1)
	case w == nil, key == "NEXTREC", key == "POS" && c.access != Stream:
		if key == "SIZE" {
			return -1
		}
		return 0
	case key == "POS":
		return w.pos + 1
	}
	return w.size
}

// fileSize returns the size of a file that is not connected, or -1.
func (t *Table) fileSize(name string) int64 {
	n, err := sizeOf(t.folder, name)
	if err != nil {
		return -1
	}
	return n
}

// sizeOf returns the size of a file.
func sizeOf(f folder.Folder, name string) (int64, error) {
	file, err := f.Open(name, folder.How{Read: true})
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return file.Size()
}
