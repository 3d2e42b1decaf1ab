package inspect

import (
	"testing"

	"whorl/cmd/whorl/internal/testdata/scopes"
)

func TestFlagsHaveScopes(t *testing.T) {
	scopes.Check(t, newConvert(), convertScopes)
	scopes.Check(t, newDump(), dumpScopes)
}
