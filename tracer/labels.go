package tracer

import (
	"strconv"
	"strings"
)

// A LabelValue is a label of samples, such as the address that a server was asked for. A number may have a unit.
type LabelValue struct {
	Key     string
	Text    string // "" for a number
	Number  int64
	Unit    string // of a number
	Numeric bool
}

// String returns the key and the value as users write and see them: key:value.
func (v LabelValue) String() string {
	switch {
	case !v.Numeric:
		return v.Key + ":" + v.Text
	case v.Unit == "":
		return v.Key + ":" + strconv.FormatInt(v.Number, 10)
	}
	return v.Key + ":" + strconv.FormatInt(v.Number, 10) + " " + v.Unit
}

// AddLabel returns the entry of a label. Its parent is the entry of the key, and its scale is 1 if the value is a number.
func (d *Dict) AddLabel(v LabelValue) uint32 {
	c := Code{Type: Label, Name: v.String(), Parent: d.Add(Code{Type: Label, Name: v.Key})}
	if v.Numeric {
		c.Unit, c.Scale = v.Unit, 1
	}
	return d.Add(c)
}

// LabelValue returns the label of an entry, false if the entry is none.
func (d *Dict) LabelValue(code uint32) (v LabelValue, ok bool) {
	c := d.Code(code)
	if c.Type != Label || c.Parent == 0 {
		return v, false
	}
	v.Key = d.Code(c.Parent).Name
	v.Text = strings.TrimPrefix(c.Name, v.Key+":")
	if c.Scale == 1 {
		number, _, _ := strings.Cut(v.Text, " ")
		if n, err := strconv.ParseInt(number, 10, 64); err == nil {
			v.Text, v.Number, v.Unit, v.Numeric = "", n, c.Unit, true
		}
	}
	return v, true
}

// Labels returns the entries of the labels of a Sample in their order, none for other events.
func (d *Dict) Labels(e *Event) (codes []uint32) {
	if e.Kind != Sample || e.Peer <= 0 {
		return nil
	}
	var way []uint32
	for at := uint32(e.Peer); at != 0; {
		c := d.Context(at)
		way = append(way, c.Code)
		at = c.Parent
	}
	for i := range way {
		if code := way[len(way)-1-i]; d.Code(code).Type == Label {
			codes = append(codes, code)
		}
	}
	return codes
}

// LabelKeys returns the entries of the keys of labels, in ascending order.
func (d *Dict) LabelKeys() (keys []uint32) {
	for id, c := range d.Codes() {
		if c.Type == Label && c.Parent == 0 {
			keys = append(keys, uint32(id))
		}
	}
	return keys
}
