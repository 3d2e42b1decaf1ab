// Package numbering numbers keys in the order of their first appearance.
package numbering

// A List holds keys, each once. The zero List is empty and ready to use.
type List[K comparable] struct {
	Keys    []K // by number
	numbers map[K]int32
}

// Number returns the number of a key, and gives the next number to a new key.
func (l *List[K]) Number(k K) int32 {
	n, ok := l.numbers[k]
	if !ok {
		if l.numbers == nil {
			l.numbers = map[K]int32{}
		}
		n = int32(len(l.Keys))
		l.numbers[k] = n
		l.Keys = append(l.Keys, k)
	}
	return n
}
