package report

import (
	"whorl/tracer"
	"whorl/tracer/derive/workspan"
)

// A BlockedPart is the time that goals or threads of one function were blocked by those of another: goals until these bound a variable, threads
// until these ended.
type BlockedPart struct {
	Function string  `json:"function"` // the blocked one
	By       string  `json:"by"`       // the one that ended the blocks, or "fetched values" for values from another PE and for input
	TimeNs   int64   `json:"time_ns"`
	Share    float64 `json:"share"` // of the blocked time, 0 to 1
	Count    int64   `json:"count"`
}

// blocked lists the blocked time by function.
func (s *Stats) blocked(names names, m *workspan.Measure) {
	s.BlockedBy = []BlockedPart{}
	for _, b := range workspan.ByOwner(m.Blocks, func(code uint32) uint32 { return tracer.Owner(names.codes, code) }) {
		if b.Time == 0 {
			continue
		}
		by := names.owner(b.By)
		if b.Fetched {
			by = workspan.FetchedValues
		}
		s.BlockedBy = append(s.BlockedBy, BlockedPart{names.owner(b.Code), by, b.Time, float64(b.Time) / float64(m.Blocked), b.Count})
	}
}

// blocked adds a row for each of the longest parts.
func (t rows) blocked(parts []BlockedPart) {
	list := make([]portion, len(parts))
	for i, b := range parts {
		list[i] = portion{b.Function + " by " + b.By, b.TimeNs, b.Share, ""}
	}
	t.portions("  of these", list)
}
