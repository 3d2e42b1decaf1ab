package term

// The kinds of boxes. A box is a Raw header with the kind and the number of words, followed by the words.
const (
	KindString = iota // length in bytes, then the bytes, 8 to a word, the first in the lowest byte
	KindInt           // a 64-bit integer that does not fit in a word
	KindBig           // 1 if negative, else 0; then the magnitude, the lowest word first
	KindFloat         // math.Float64bits
	KindArray         // the elements of the newest version of a vector
	KindVector        // a version of a vector (see package builtin)
	KindText          // a version of a string
	KindMerger        // a merger of streams: open inputs, end of the output, its PE; shared by the goals that feed it
	KindStream        // the remaining work of a goal that serves a stream of commands
)

// Scanned reports whether the words of a box of the given kind are terms, which the collector must scan.
func Scanned(kind int) bool { return kind >= KindArray }

// Object reports whether a box of the given kind has an identity: it is never copied, and all PEs refer to it by the same word.
func Object(kind int) bool { return kind >= KindMerger }

// HeaderFlag is set in the headers of boxes and distinguishes them from other Raw words.
const HeaderFlag = Word(1) << 62

// BoxHeader returns the header of a box with the given number of words.
func BoxHeader(kind, words int) Word {
	return HeaderFlag | Word(words)<<8<<TagBits | Word(kind)<<TagBits | Raw
}

// BoxKind returns the kind in a box header.
func (w Word) BoxKind() int { return int(w >> TagBits & 0xff) }

// BoxWords returns the number of words in a box header. The topmost bit of a header is available as a lock.
func (w Word) BoxWords() int { return int(w << 2 >> (2 + 8 + TagBits)) }
