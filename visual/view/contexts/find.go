package contexts

import (
	"fmt"
	"strings"

	"whorl/tracer/query"
)

// Search returns the nodes whose procedure's name matches a regular expression, in preorder, or nil if the expression is empty. An
// expression without capitals ignores case. The error explains an invalid expression.
func (c *Contexts) Search(expression string) ([]int32, error) {
	expression = strings.TrimSpace(expression)
	if expression == "" {
		return nil, nil
	}
	re, err := query.Search(expression)
	if err != nil {
		return nil, fmt.Errorf("find %w", err)
	}
	matches := map[uint32]bool{} // by code
	found := []int32{}
	for v := int32(1); int(v) < c.Nodes(); v++ {
		code := c.Code[v]
		match, known := matches[code]
		if !known {
			match = re.MatchString(c.FunctionName(code))
			matches[code] = match
		}
		if match {
			found = append(found, v)
		}
	}
	return found, nil
}
