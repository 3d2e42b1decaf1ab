package report

// Sampled is a trace for tests of other packages.
var Sampled = sampled
