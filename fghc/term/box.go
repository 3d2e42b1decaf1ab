package term

// The kinds of boxes: a Raw header with kind and number of words, then the words.
const (
	KindString = iota // length in bytes, then the bytes, 8 to a word, the first in the lowest place
	KindInt           // 64 bits of an integer that does not fit a word
	KindBig           // 1 if negative, else 0; then the magnitude, the lowest word first
	KindFloat         // math.Float64bits
	KindArray         // the elements of a vector's newest version
	KindVector        // a version of a vector (see package builtin)
	KindText          // a version of a string
	KindMerger        // a merger of streams: open inputs, end of the output, its PE; shared by the goals that feed it
	KindStream        // what a goal that serves a stream of commands has still to do
)

// Scanned says whether the words of a box of that kind are terms. The collector skips others.
func Scanned(kind int) bool { return kind >= KindArray }

// Object says whether a box of that kind is no value but a thing: it is not copied, and every PE knows it by the same word.
func Object(kind int) bool { return kind >= KindMerger }

// HeaderFlag is set in the header of a box, and tells it from other Raw words.
const HeaderFlag = Word(1) << 62

// BoxHeader returns the header of a box of so many words.
func BoxHeader(kind, words int) Word {
	return HeaderFlag | Word(words)<<8<<TagBits | Word(kind)<<TagBits | Raw
}

// BoxKind returns the kind of box that a header begins.
func (w Word) BoxKind() int { return int(w >> TagBits & 0xff) }

// BoxWords returns the number of words behind a header. The topmost bit is free for whoever locks a box.
func (w Word) BoxWords() int { return int(w << 2 >> (2 + 8 + TagBits)) }
