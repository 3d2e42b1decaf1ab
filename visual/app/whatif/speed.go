package whatif

import (
	"slices"
	"strconv"
	"strings"

	"whorl/experiment"
	"whorl/sim"
)

// speedPrefix begins the name of the setting of a part's speed.
const speedPrefix = "speed "

// partsOf returns the parts of a program whose speeds are among some settings, sorted.
func partsOf(settings map[string]string) (parts []string) {
	for name := range settings {
		if part, ok := strings.CutPrefix(name, speedPrefix); ok {
			parts = append(parts, part)
		}
	}
	slices.Sort(parts)
	return parts
}

// speed returns the setting of the speed of a part of the program.
func speed(part string) setting {
	own := func(text string) bool { return strings.HasPrefix(text, part+"=") }
	steps := []string{}
	for _, x := range round(0.1, 10) {
		steps = append(steps, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return setting{
		name: speedPrefix + part, label: part, group: groupSpeed, steps: steps, number: wholeNumber,
		doc: "How many times as fast " + part + " runs: 2 takes half the time",
		value: func(r *experiment.Run) string {
			if i := slices.IndexFunc(r.Speeds, own); i >= 0 {
				return strings.TrimPrefix(r.Speeds[i], part+"=")
			}
			return "1"
		},
		set: func(r *experiment.Run, value string) error {
			s, err := sim.ParseSpeed(part + "=" + value)
			if err != nil {
				return err
			}
			r.Speeds = slices.DeleteFunc(slices.Clone(r.Speeds), own)
			if s.Factor != 1 {
				r.Speeds = append(r.Speeds, s.String())
			}
			return nil
		},
	}
}
