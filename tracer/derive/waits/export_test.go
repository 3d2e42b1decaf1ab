package waits

// Helpers of tests of runs, which import packages that import this one.
var (
	BuildTest = build
	AddedUp   = added
)
