package modules

import (
	"fmt"
	"regexp"
	"slices"

	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/network"
	"whorl/visual/network/cut"
	"whorl/visual/view"
)

// procedureFilter keeps the tasks of some procedures.
func procedureFilter() *network.Module {
	return &network.Module{
		Name: "procedure", Title: "Procedure", Doc: "the tasks of some procedures or functions, with their ancestors",
		Class: network.Filter, In: traceIn, Out: network.Trace,
		Params: []view.Param{{Name: "name", Label: "Name", Doc: "a regular expression for the whole name, as in makeRow/3 or .*Row.*", Default: ".*"}},
		Check: func(v flow.Values) error {
			_, err := wholeName(v.Text("name"))
			return err
		},
		Run: func(c *network.Call) (any, error) {
			src := c.Trace("trace")
			pattern, err := wholeName(c.Params.Text("name"))
			if err != nil {
				return nil, err
			}
			codes := src.Dict().Codes()
			matches := make([]bool, len(codes))
			found := false
			for i := range codes {
				owner := &codes[tracer.Owner(codes, uint32(i))]
				matches[i] = owner.Name != "" && pattern.MatchString(owner.Name)
				found = found || matches[i] && works(owner)
			}
			if name := c.Params.Text("name"); !found {
				return nil, fmt.Errorf("no procedure of the trace matches %s; %s", nearest.Quote(name), nearest.Hint(name, ownerNames(codes)))
			}
			return selectCodes(c, "procedures "+c.Params.Text("name"), matches)
		},
	}
}

// selectCodes returns the part of the trace with some codes.
func selectCodes(c *network.Call, what string, codes []bool) (tracer.Source, error) {
	return cut.Select(c.Trace("trace"), cut.Selection{What: what, Keep: func(_ *tracer.Event, code uint32) bool {
		return int(code) < len(codes) && codes[code]
	}}, cut.Tick(c.Tick))
}

func wholeName(pattern string) (*regexp.Regexp, error) {
	r, err := regexp.Compile("^(?:" + pattern + ")$")
	if err != nil {
		_, err = regexp.Compile(pattern) // without the additions in the message
		return nil, fmt.Errorf("name: %w", err)
	}
	return r, nil
}

// works reports whether a code can have work, unlike a class of messages or a reason to wait.
func works(c *tracer.Code) bool {
	switch c.Type {
	case tracer.Metric, tracer.MessageClass, tracer.Reason, tracer.Host:
		return false
	}
	return true
}

// ownerNames returns the names of the procedures and functions of a trace.
func ownerNames(codes []tracer.Code) (names []string) {
	for i := range codes {
		if o := tracer.Owner(codes, uint32(i)); o == uint32(i) && codes[i].Name != "" && works(&codes[i]) {
			names = append(names, codes[i].Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
