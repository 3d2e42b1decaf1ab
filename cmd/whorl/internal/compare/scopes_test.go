package compare

import (
	"testing"

	"whorl/cmd/whorl/internal/testdata/scopes"
)

func TestFlagsHaveScopes(t *testing.T) {
	scopes.Check(t, newCompare(), compareScopes)
	scopes.Check(t, newSweep(), sweepScopes)
}
