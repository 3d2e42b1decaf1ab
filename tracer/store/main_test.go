package store_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		recordUntilKilled(path) // this process is a child of TestKill
		return
	}
	goleak.VerifyTestMain(m)
}
