package cli

import (
	"testing"

	"whorl/cmd/whorl/internal/testdata/scopes"
)

// TestTablesAreComplete: the table of each command has all of its flags.
func TestTablesAreComplete(t *testing.T) {
	scopes.Check(t, newRun(), runScopes)
	scopes.Check(t, newCompare(), compareScopes)
	scopes.Check(t, newConvert(), convertScopes)
	scopes.Check(t, newDump(), dumpScopes)
	scopes.Check(t, newCheck(), checkScopes)
}
