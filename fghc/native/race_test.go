//go:build race

package native_test

var raced = []string{"-race"}
