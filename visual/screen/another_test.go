//go:build !js

package screen

import (
	"io"
	"testing"

	"whorl/testdata/must"
)

// TestNewWindows starts this program again as another window. A test ends there at once, since it has no such flag, and so does the connection.
func TestNewWindows(t *testing.T) {
	c := must.Get(NewWindows()())(t)
	if _, err := io.ReadAll(c); err != nil {
		t.Errorf("the connection ends with %v", err)
	}
	_ = c.Close() // the process is gone
}
