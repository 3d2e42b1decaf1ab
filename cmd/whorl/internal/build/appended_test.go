package build

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// TestAppended checks that a program is found at the end of a file, and that damaged ones are reported.
func TestAppended(t *testing.T) {
	const texts = `{"program":"a.hpf","texts":{"a.hpf":"end\n"}}`
	whole := "binary" + texts + string(binary.LittleEndian.AppendUint64(nil, uint64(len(texts)))) + mark
	for _, c := range []struct {
		name, file string
		found      bool
		err        string
	}{
		{"whole", whole, true, ""},
		{"none", "binary", false, ""},
		{"long without one", strings.Repeat("binary", 100), false, ""},
		{"cut", whole[30:], false, "damaged"},
		{"empty texts", "binary" + string(make([]byte, 8)) + mark, false, "damaged"},
		{"a wrong length", "binary" + texts + string(binary.LittleEndian.AppendUint64(nil, 1<<63)) + mark, false, "damaged"},
	} {
		a, err := read(bytes.NewReader([]byte(c.file)))
		if (a != nil) != c.found || (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, %v", c.name, a, err)
		}
		if a != nil {
			if text, err := a.Read("a.hpf", 10); text != "end\n" || err != nil {
				t.Errorf("%s: %q, %v", c.name, text, err)
			}
		}
	}
}
