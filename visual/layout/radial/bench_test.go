package radial

import (
	"fmt"
	"testing"
)

func rate(b *testing.B, n int) {
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
}

func BenchmarkNew(b *testing.B) {
	for _, n := range []int{1_000_000, 10_000_000} {
		tree := bushy(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				New(tree)
			}
			rate(b, n)
		})
	}
}

func BenchmarkCondense(b *testing.B) {
	for _, n := range []int{1_000_000, 10_000_000} {
		tree := bushy(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Condense(tree, Fit(64, 4, tree.Height(), 0))
			}
			rate(b, n)
		})
	}
}

func BenchmarkItems(b *testing.B) {
	for _, n := range []int{1_000_000, 10_000_000} {
		l := New(bushy(n))
		for _, zoom := range []float64{1, 8, 100} {
			b.Run(fmt.Sprintf("%d/zoom%v", n, zoom), func(b *testing.B) {
				v := View{X: 960, Y: 540, Distance: 20, X1: 1920, Y1: 1080, Cut: 1}
				v.Distance *= zoom
				x, y := l.Position(int32(n/3), v.Distance)
				if zoom > 1 {
					v.X, v.Y = 960-x, 540-y
				}
				items := 0
				for b.Loop() {
					items = 0
					for range l.Items(v) {
						items++
					}
				}
				b.ReportMetric(float64(items), "items")
			})
		}
	}
}
