package source

import (
	"testing"

	"whorl/cmd/whorl/internal/testdata/scopes"
)

func TestFlagsHaveScopes(t *testing.T) { scopes.Check(t, newCheck(), checkScopes) }
