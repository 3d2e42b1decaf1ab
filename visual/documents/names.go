package documents

import (
	"fmt"
	"slices"
	"strings"
)

// NameFor returns a name for a new document: base, with a number if it is taken.
func NameFor(base string, taken func(name string) bool) string {
	if base == "" || base == "." || base == "/" {
		base = "trace"
	}
	name := base
	for i := 2; taken(name); i++ {
		name = fmt.Sprintf("%s (%d)", base, i)
	}
	return name
}

// ShortName returns what tells a trace from the others: its name without the parts that all names have, or without the words that all
// begin with. pascal-on-demand beside pascal-random becomes on-demand.
func ShortName(name string, all []string) string {
	var own []string
	for part := range strings.SplitSeq(name, ", ") {
		common := true
		for _, t := range all {
			common = common && slices.ContainsFunc(strings.Split(t, ", "), func(s string) bool { return unnumbered(s) == unnumbered(part) })
		}
		if !common {
			own = append(own, part)
		}
	}
	switch len(own) {
	case 0:
		return name
	case 1:
		return strings.TrimPrefix(own[0], commonWords(all))
	}
	return strings.Join(own, ", ")
}

// unnumbered returns a name without the number that tells it from an older one.
func unnumbered(s string) string {
	if i := strings.LastIndex(s, " ("); i > 0 && strings.HasSuffix(s, ")") {
		return s[:i]
	}
	return s
}

// commonWords returns the words that all names begin with, "" if one name has no more than these.
func commonWords(names []string) string {
	common := names[0]
	for _, n := range names[1:] {
		k := 0
		for k < min(len(common), len(n)) && common[k] == n[k] {
			k++
		}
		common = common[:k]
	}
	if slices.Contains(names, common) {
		return ""
	}
	return common[:strings.LastIndexAny(common, " -_.")+1]
}
