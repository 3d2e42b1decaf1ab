package reference

import (
	"fmt"

	"whorl/fghc/syntax"
)

// A merger is the second argument of the goals that write to it.
type merger struct {
	open int
	end  term
}

// merge moves the available elements of an input to the output of a merger, one at a time.
func (m *machine) merge(g *goal) error {
	to, ok := g.args[1].(*merger)
	if !ok {
		to = &merger{1, g.args[1]}
		g.args = []term{g.args[0], to}
	}
	extend := func(by term) error {
		if !unify(to.end, by, m.bind) {
			return fmt.Errorf("%w: %s", ErrUnify, syntax.Format(g.text.Term))
		}
		return nil
	}
	for {
		switch in := deref(g.args[0]).(type) {
		case *variable:
			m.suspend(g, []*variable{in})
			return nil
		case *compound:
			if in.name == "." {
				end := &variable{}
				if err := extend(&compound{".", []term{in.args[0], end}}); err != nil {
					return err
				}
				to.end, g.args[0] = end, in.args[1]
				continue
			}
			if in.name != "{}" {
				return fmt.Errorf("%w: %s", errBuiltin, syntax.Format(g.text.Term))
			}
			to.open += len(in.args) - 1
			for _, input := range in.args {
				m.ready = append(m.ready, &goal{text: g.text, name: g.name, args: []term{input, to}, native: g.native})
			}
		case atom:
			if in != "[]" {
				return fmt.Errorf("%w: %s", errBuiltin, syntax.Format(g.text.Term))
			}
			to.open--
		}
		if to.open == 0 {
			return extend(atom("[]"))
		}
		return nil
	}
}
