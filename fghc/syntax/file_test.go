package syntax_test

import (
	"testing"

	"whorl/fghc/syntax"
	"whorl/fghc/syntax/syntaxtest"
)

func TestFiles(t *testing.T) {
	syntaxtest.Run(t, "testdata/*.fghc", func(name, src string) syntax.Errors {
		_, errs := syntax.Parse(name, src)
		return errs
	})
}
