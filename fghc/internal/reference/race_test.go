//go:build race

package reference_test

var raced = []string{"-race"}
