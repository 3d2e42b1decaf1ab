package inline

import (
	"strings"

	"whorl/fghc/syntax"
)

// A replacement is a statement of C and the goals that stand for it. $0 and $1 are the arguments that the statement names in place of %0 and %1.
type replacement struct{ c, guard, body string }

// replacements lists the statements other than arithmetic and conditions.
var replacements = []replacement{
	{c: "%0 = makeint(command_argc)", body: "unix:argc($0)"},
	{c: "%0 = makeint(my_node)", body: "current_node($0,_)"},
	{c: "%0 = makeint(total_node)", body: "current_node(_,$0)"},
	{c: "%0 = makeint(current_prio)", guard: "current_priority($0)"},
	{c: "%0 = makeint(current_queue->prio)", guard: "current_priority($0)"},
	{c: "%0 = makeint(time(0))", body: "inline:seconds($0)"},
	{c: "%0 = makeint(time(NULL))", body: "inline:seconds($0)"},
	{c: "klic_exit(intval(%0))", body: "unix:exit($0)"},
	{c: "exit(intval(%0))", body: "unix:exit($0)"},
	{c: "exit(0)", body: "unix:exit(0)"},
	{c: "exit(1)", body: "unix:exit(1)"},
	{c: "fflush(stdout)"},
	{c: "fflush(stderr)"},
	{c: "%0 = NILATOM", guard: "$0 = []"},
}

// replace looks a statement up in the table. It reports whether the table has it.
func (t *translator) replace(statement []string) (bool, error) {
	for _, r := range replacements {
		pattern, err := scan(r.c)
		if err != nil {
			return false, err
		}
		names, ok, err := t.match(pattern, statement)
		if err != nil || !ok {
			if err != nil {
				return false, err
			}
			continue
		}
		t.guard = append(t.guard, t.goals(names.Replace(r.guard))...)
		t.body = append(t.body, t.goals(names.Replace(r.body))...)
		return true, nil
	}
	return false, nil
}

// match compares a statement with a pattern. It returns the names of the variables that stand for $0 and $1.
func (t *translator) match(pattern, statement []string) (names *strings.Replacer, ok bool, err error) {
	if len(pattern) != len(statement) {
		return nil, false, nil
	}
	var pairs []string
	for i, p := range pattern {
		switch s := statement[i]; {
		case isArgument(p) && isArgument(s):
			v, err := t.variable(s)
			if err != nil {
				return nil, false, err
			}
			pairs = append(pairs, "$"+p[1:], v.Name)
		case p != s:
			return nil, false, nil
		}
	}
	return strings.NewReplacer(pairs...), true, nil
}

// goals reads goals of the table, at the position of the C code.
func (t *translator) goals(text string) []syntax.Goal {
	if text == "" {
		return nil
	}
	goals, _ := syntax.ParseGoals(t.pos.File, strings.Repeat("\n", int(t.pos.Line)-1)+text) // a test reads the table
	return goals
}
