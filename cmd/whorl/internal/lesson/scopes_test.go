package lesson

import (
	"testing"

	"whorl/cmd/whorl/internal/testdata/scopes"
)

func TestFlagsHaveScopes(t *testing.T) { scopes.Check(t, Commands()[0], lessonScopes) }
