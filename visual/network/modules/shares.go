package modules

import (
	"fmt"
	"strconv"
	"strings"

	"whorl/internal/nearest"
	"whorl/visual/flow"
)

func checkShares(v flow.Values) error {
	_, err := Shares(v, 1)
	return err
}

// Shares returns the parts of a row or a column that n pictures take, which add up to 1.
func Shares(v flow.Values, n int) ([]float64, error) {
	parts := make([]float64, n)
	for i := range parts {
		parts[i] = 1
	}
	if text := v.Text(shares.Name); text != "" {
		for i, s := range strings.Split(text, ",") {
			x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
			if err != nil || !(x > 0 && x <= 1000) {
				return nil, fmt.Errorf("shares %s: expected numbers above 0, as in 2,1", nearest.Quote(text))
			}
			if i < n {
				parts[i] = x
			}
		}
	}
	sum := 0.0
	for _, x := range parts {
		sum += x
	}
	for i := range parts {
		parts[i] /= sum
	}
	return parts, nil
}
