package contexts

import (
	"fmt"
	"regexp"
	"strings"
)

// Search lists the nodes whose name matches a regular expression, in preorder, those of one procedure all or none; nil for "". Letters
// stand for capitals too, unless the expression has any. The error says what is wrong with the expression.
func (c *Contexts) Search(expression string) ([]int32, error) {
	expression = strings.TrimSpace(expression)
	if expression == "" {
		return nil, nil
	}
	re, err := regexp.Compile(expression)
	if err == nil && strings.ToLower(expression) == expression {
		re, err = regexp.Compile("(?i)" + expression)
	}
	if err != nil { // which tells of what was typed
		return nil, fmt.Errorf("find %q is no regular expression: %w", expression, err)
	}
	known := map[uint32]bool{}
	found := []int32{}
	for v := int32(1); int(v) < c.Nodes(); v++ {
		code := c.Code[v]
		ok, asked := known[code]
		if !asked {
			ok = re.MatchString(c.Called(code))
			known[code] = ok
		}
		if ok {
			found = append(found, v)
		}
	}
	return found, nil
}
