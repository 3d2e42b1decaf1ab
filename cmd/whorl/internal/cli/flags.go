package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"whorl/internal/nearest"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError makes one line of an error in a flag, with the nearest flags where there is none of that name.
func flagError(cmd *cobra.Command, err error) error {
	var none *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &none) && none.GetSpecifiedShortnames() == "":
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				known = append(known, "--"+f.Name)
			}
		})
		return &nearest.UnknownError{Kind: "flag", Name: "--" + none.GetSpecifiedName(), Known: known, See: cmd.CommandPath() + " --help"}
	case errors.As(err, &invalid):
		return wrongValue(invalid.GetFlag(), invalid.GetValue(), errors.Is(err, strconv.ErrRange))
	}
	return fmt.Errorf("%w (see %s --help)", err, cmd.CommandPath())
}

// wrongValue says what a flag takes instead of a value.
func wrongValue(f *pflag.Flag, value string, tooLarge bool) error {
	takes := map[string]string{
		"int": "a whole number", "int64": "a whole number", "uint64": "a whole number of at least 0", "bool": "true or false",
		"duration": "a duration such as 10s or 2m",
	}[f.Value.Type()]
	switch {
	case takes == "":
		return fmt.Errorf("--%s cannot be %s", f.Name, nearest.Quote(value))
	case tooLarge:
		return fmt.Errorf("--%s cannot be as large as %s", f.Name, nearest.Quote(value))
	}
	return fmt.Errorf("--%s is %s, not %s", f.Name, takes, nearest.Quote(value))
}

// checkFlags refuses values that were given and would be taken for none: an empty text, a number or a time that is not positive.
func checkFlags(cmd *cobra.Command, _ []string) error {
	var bad error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if bad == nil {
			bad = emptyValue(f)
		}
	})
	return bad
}

func emptyValue(f *pflag.Flag) error {
	value := f.Value.String()
	what, _ := pflag.UnquoteUsage(f)
	switch f.Value.Type() {
	case "string":
		if strings.TrimSpace(value) == "" {
			if what == "string" { // its help names nothing
				what = "a value"
			}
			return fmt.Errorf("--%s is empty; expected %s", f.Name, what)
		}
	case "int", "int64":
		if n, err := strconv.ParseInt(value, 10, 64); err == nil && n < 1 {
			return fmt.Errorf("--%s is at least 1, not %d", f.Name, n)
		}
	case "duration":
		if d, err := time.ParseDuration(value); err == nil && d <= 0 {
			return fmt.Errorf("--%s is more than 0, such as 10s or 2m, not %s", f.Name, d)
		}
	}
	return nil
}
