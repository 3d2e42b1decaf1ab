package whatif

import (
	"slices"
	"strconv"
	"strings"

	"whorl/experiment"
	"whorl/internal/nearest"
	"whorl/sim"
)

// Prefixes of the names of settings of a part of the program.
const (
	speedPrefix = "speed " // its speed
	zeroPrefix  = "zero "  // whether tasks wait for a reason, a class of messages or a lock
)

// ofPart reports whether a setting is one of a part of the program.
func ofPart(name string) bool {
	return strings.HasPrefix(name, speedPrefix) || strings.HasPrefix(name, zeroPrefix)
}

// partsOf returns the names of those settings that are of parts of the program, sorted.
func partsOf(settings map[string]string) (parts []string) {
	for name := range settings {
		if ofPart(name) {
			parts = append(parts, name)
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

// Values of the settings for waits.
const (
	waits   = "as recorded"
	noWaits = "none"
)

// zero returns the setting of whether tasks of a recorded program wait for a reason, a class of messages or a lock.
func zero(name string) setting {
	return setting{
		name: zeroPrefix + name, label: name, group: groupZero, choices: []experiment.Item{{Name: waits}, {Name: noWaits}},
		doc: "Whether tasks wait for " + name,
		value: func(r *experiment.Run) string {
			if slices.Contains(r.Zero, name) {
				return noWaits
			}
			return waits
		},
		set: func(r *experiment.Run, value string) error {
			r.Zero = slices.DeleteFunc(slices.Clone(r.Zero), func(s string) bool { return s == name })
			switch value {
			case waits:
			case noWaits:
				r.Zero = append(r.Zero, name)
			default:
				return nearest.Unknown("value", value, []string{waits, noWaits})
			}
			return nil
		},
	}
}
