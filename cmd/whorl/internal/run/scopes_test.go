package run

import (
	"testing"

	"whorl/cmd/whorl/internal/testdata/scopes"
)

func TestFlagsHaveScopes(t *testing.T) {
	scopes.Check(t, newRun(), runScopes)
	scopes.Check(t, newServe(), serveScopes)
	scopes.Check(t, newView(), viewScopes)
	scopes.Check(t, newRecord(), recordScopes)
}
