package callingcontext

import (
	"math"
	"slices"
)

// unified returns the metrics of a tree and their values by cell. Metrics that differ only in scale, because only some files have fractions,
// become one metric with a scale that divides all their scales, so values stay exact. They stay separate if such a scale is more than finest
// times finer, or if values overflow in it.
func (m *Merger) unified() (metrics []Metric, values [][]int64) {
	taken := make([]bool, len(m.metrics))
	for i, x := range m.metrics {
		if taken[i] {
			continue
		}
		group := []int{i}
		for k := i + 1; k < len(m.metrics); k++ {
			if y := m.metrics[k]; y.Name == x.Name && y.Unit == x.Unit && y.Visits == x.Visits {
				group = append(group, k)
			}
		}
		if len(group) > 1 {
			if scale, sum, ok := m.sum(group); ok {
				for _, k := range group {
					taken[k] = true
				}
				x.Scale = scale
				metrics, values = append(metrics, x), append(values, sum)
				continue
			}
		}
		metrics, values = append(metrics, x), append(values, m.values[i])
	}
	return metrics, values
}

// sum adds metrics in a common scale. It returns false if no common scale holds all values.
func (m *Merger) sum(group []int) (scale float64, sum []int64, ok bool) {
	scales := make([]float64, len(group))
	for i, k := range group {
		if scales[i] = m.metrics[k].Scale; scales[i] == 0 {
			scales[i] = 1
		}
	}
	scale, times, ok := common(scales)
	if !ok {
		return 0, nil, false
	}
	for i, k := range group {
		for len(sum) < len(m.values[k]) {
			sum = append(sum, make([]int64, len(m.values[k])-len(sum))...)
		}
		for cell, v := range m.values[k] {
			if max(v, -v) > Most/times[i] {
				return 0, nil, false
			}
			sum[cell] = Plus(sum[cell], v*times[i])
		}
	}
	return scale, sum, true
}

// finest bounds the divisor of a scale that gives a common scale.
const finest = 1000

// common returns a scale that divides all given scales, which are above 0, and the quotients.
func common(scales []float64) (scale float64, times []int64, ok bool) {
	least := slices.Min(scales)
	times = make([]int64, len(scales))
	for parts := 1.0; parts <= finest; parts++ {
		ok = least > 0
		for i, s := range scales {
			n := s / least * parts
			times[i] = int64(math.Round(min(n, 1<<52)))
			ok = ok && n < 1<<52 && math.Abs(n-float64(times[i])) <= 1e-9*n
		}
		if ok {
			return least / parts, times, true
		}
	}
	return 0, nil, false
}
