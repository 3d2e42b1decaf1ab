package testenv

import (
	"os"
	"testing"
)

// Soak reports whether tests take their large sizes, which need minutes: `make soak` asks for them with the variable WHORL_SOAK.
func Soak() bool { return os.Getenv("WHORL_SOAK") != "" }

// OnlySoak skips a test unless tests take their large sizes.
func OnlySoak(t *testing.T) {
	t.Helper()
	if !Soak() {
		t.Skip("takes minutes: make soak")
	}
}
