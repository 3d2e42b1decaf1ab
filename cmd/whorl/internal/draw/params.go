package draw

import (
	"fmt"
	"strings"

	"whorl/cmd/whorl/internal/command"
	"whorl/internal/nearest"
	"whorl/visual/view"
)

// SetParams adds the parameters of --set. It returns an error for one that has another value already.
func SetParams(params map[string]string, set []string) error {
	for _, s := range set {
		key, value, ok := strings.Cut(s, "=")
		if !ok {
			return fmt.Errorf("--set %s: expected NAME=VALUE", nearest.Quote(s))
		}
		if before, set := params[key]; set && before != value {
			return fmt.Errorf("%s is given twice, as %s and %s: choose one", key, nearest.Quote(before), nearest.Quote(value))
		}
		params[key] = value
	}
	return nil
}

// paramsHelp lists the parameters of some views for the help text: those that several views have in the same form once, with the views, then those
// of single views. A line has the key with its default, the label, the explanation and the type.
func paramsHelp(kinds []*view.Kind) string {
	var lines []string
	users := map[string][]string{} // names of views by line
	for _, k := range kinds {
		for _, p := range k.Params {
			line := fmt.Sprintf("%s=%v  %s: %s (%s)", p.Name, p.Default, p.Label, p.Doc, p.Type())
			if users[line] == nil {
				lines = append(lines, line)
			}
			users[line] = append(users[line], k.Name)
		}
	}
	var shared, single strings.Builder
	for _, line := range lines {
		if names := users[line]; len(names) == 1 {
			single.WriteString("\n" + command.Fold("  "+names[0]+" "+line, "      "))
		} else {
			shared.WriteString("\n" + command.Fold("  "+line, "      ") + "\n" + command.Fold("      in "+strings.Join(names, ", "), "         "))
		}
	}
	text := "Parameters of single views:" + single.String()
	if shared.Len() > 0 {
		text = "Parameters of several views:" + shared.String() + "\n\n" + text
	}
	return text
}
