package whatif

import (
	"maps"
	"reflect"
	"slices"

	"whorl/experiment"
)

// A known holds the facts derived from a run and its settings. It is kept from pass to pass, since the settings read the file of the machine.
type known struct {
	base     experiment.Run
	settings map[string]string
	parts    []string

	all              []setting
	now              experiment.Run // with the settings
	err              error          // of the settings
	recorded, values []string       // of all, in the recorded run and in the one with the settings
}

// know returns what follows from what the panel shows.
func (p *Panel) know(s *Shown, parts []string) *known {
	k := &p.known
	if k.all != nil && maps.Equal(k.settings, s.Settings) && slices.Equal(k.parts, parts) && reflect.DeepEqual(k.base, s.Base) {
		return k
	}
	*k = known{base: s.Base, settings: s.Settings, parts: parts, all: settingsOf(&s.Base, parts)}
	k.now, k.err = Apply(s.Base, s.Settings)
	for i := range k.all {
		k.recorded = append(k.recorded, k.all[i].value(&k.base))
		k.values = append(k.values, k.all[i].value(&k.now))
	}
	return k
}
