package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/inspect"
	"whorl/experiment"
	"whorl/internal/nearest"
	"whorl/lesson/script/solve"
	"whorl/visual/network/modules"
	"whorl/visual/views"
)

// A listing is an argument of whorl list.
type listing struct {
	name  string
	items func() []experiment.Item
}

var listings = []listing{
	{"benchmarks", experiment.Benchmarks},
	{"policies", func() []experiment.Item { return append(experiment.Policies(), experiment.PolicyOptions()...) }},
	{"machines", func() []experiment.Item { return append(experiment.Machines(), experiment.MachineOptions()...) }},
	{"networks", experiment.Networks},
	{"views", viewItems},
	{"modules", moduleItems},
	{"formats", inspect.FormatItems},
	{"quantities", quantityItems},
}

func newList() *cobra.Command {
	var names []string
	for _, l := range listings {
		names = append(names, l.name)
	}
	return &cobra.Command{
		Use:       "list benchmarks|policies|machines|networks|views|modules|formats|quantities",
		Short:     "List benchmarks, policies, machines, networks, views, modules, formats or quantities",
		Long:      "List all benchmarks, scheduling policies, machines, networks, views, modules of networks, file formats, or the quantities of runs that\nlessons use, with a line about each. whorl annotate prints the source lines of functions of a profile.",
		Example:   "  whorl list benchmarks",
		ValidArgs: names,
		Args:      command.Exactly("one of benchmarks, policies, machines, networks, views, modules, formats, quantities"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, l := range listings {
				if l.name == args[0] {
					return writeItems(cmd, l.items())
				}
			}
			return nearest.Unknown("list", args[0], names)
		},
	}
}

func writeItems(cmd *cobra.Command, items []experiment.Item) error {
	tw := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, it := range items {
		fmt.Fprintf(tw, "%s\t%s\n", it.Name, it.Doc)
	}
	return tw.Flush()
}

// viewItems lists the views.
func viewItems() []experiment.Item {
	var items []experiment.Item
	for _, k := range views.All {
		items = append(items, experiment.Item{Name: k.Name, Doc: k.Doc})
	}
	return items
}

// moduleItems lists the modules of networks.
func moduleItems() []experiment.Item {
	var items []experiment.Item
	for _, m := range modules.Catalog(views.All) {
		items = append(items, experiment.Item{Name: m.Name, Doc: m.Class.String() + ": " + m.Doc})
	}
	return items
}

// quantityItems lists the numbers and texts of runs that the expressions of lessons use.
func quantityItems() []experiment.Item {
	var items []experiment.Item
	for _, q := range solve.Quantities {
		items = append(items, experiment.Item{Name: q.Name, Doc: q.Doc})
	}
	for _, n := range solve.Names {
		items = append(items, experiment.Item{Name: n.Name, Doc: "text: " + n.Doc})
	}
	return items
}
