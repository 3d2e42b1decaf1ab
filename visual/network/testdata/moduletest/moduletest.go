// Package moduletest runs single modules in tests.
package moduletest

import (
	"context"

	"whorl/visual/network"
)

// Run runs a module on values of its inputs, in their order, without a network.
func Run(c network.Catalog, module string, values map[string]string, inputs ...any) (any, error) {
	m, err := c.Module(module)
	if err != nil {
		return nil, err
	}
	v, err := m.Parse(values)
	if err != nil {
		return nil, err
	}
	in := map[string][]any{}
	for i, p := range m.In {
		in[p.Name] = inputs[i : i+1]
		if p.Many {
			in[p.Name] = inputs[i:]
		}
	}
	return m.Run(network.NewCall(context.Background(), v, func(int64, int64) error { return nil }, in))
}
