// Package testenv holds what the tests and benchmarks of several packages share: whether the race detector is on, the
// processor time, the chi-squared statistic, a recorder that stores nothing, and a buffer for the output of other goroutines.
package testenv

import "testing"

// Sequential skips a test under the race detector: it runs on one goroutine, where there are no races. tools/test.sh runs the tests whose own
// text has Sequential or Race without the race detector as well.
func Sequential(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("one goroutine has no races")
	}
}
