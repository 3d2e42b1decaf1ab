package memory

import (
	"os"
	"path/filepath"
	"testing"

	"whorl/testdata/must"
)

// TestMachine checks that the machine has more memory than this process uses.
func TestMachine(t *testing.T) {
	if got := Machine(); got <= InUse() || Share() <= 0 || Share() > got {
		t.Errorf("the machine has %d bytes, %d are in use, a picture may take %d", got, InUse(), Share())
	}
}

func TestGroupLimit(t *testing.T) {
	for _, c := range []struct {
		text string
		want uint64
		ok   bool
	}{{"max\n", 0, false}, {"536870912\n", 512 << 20, true}, {"", 0, false}, {"0\n", 0, false}} {
		file := filepath.Join(t.TempDir(), "memory.max")
		must.Do(t, os.WriteFile(file, []byte(c.text), 0o600))
		if got, ok := groupLimit(file); ok != c.ok || ok && got != c.want {
			t.Errorf("%q: %d, %v", c.text, got, ok)
		}
	}
	if _, ok := groupLimit(filepath.Join(t.TempDir(), "missing")); ok {
		t.Error("a missing file has a limit")
	}
}
