package tracer

import "slices"

// Homonyms returns suffixes, by code, for the functions whose names other functions have too. A suffix names the parent of the function: " of Renderer 2"
// for the main thread of one of several renderers.
func Homonyms(codes []Code) map[uint32]string {
	owner := func(c Code) string {
		if c.Type != Function || int(c.Parent) >= len(codes) {
			return ""
		}
		return codes[c.Parent].Name
	}
	if !slices.ContainsFunc(codes, func(c Code) bool { return owner(c) != "" }) {
		return nil
	}
	count := map[string]int{}
	for i := range codes {
		if codes[i].Type == Function {
			count[codes[i].Name]++
		}
	}
	of := map[uint32]string{}
	for i, c := range codes {
		if s := owner(c); s != "" && count[c.Name] > 1 {
			of[uint32(i)] = " of " + s
		}
	}
	return of
}
