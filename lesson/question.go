package lesson

// The kinds of answers.
const (
	NumberAnswer = "number"
	ChoiceAnswer = "choice"
	TextAnswer   = "text"
	CurveAnswer  = "curve"
)

// A Question is a question or a prediction, with the values for the check of its answer.
type Question struct {
	Kind    string    `json:"kind"`
	Lang    string    `json:"lang"` // of the verdicts
	Ask     []Block   `json:"ask"`
	Hints   [][]Block `json:"hints,omitempty"`   // shown one after the other
	Explain []Block   `json:"explain,omitempty"` // shown after the right answer, or after the prediction
	Number  *Number   `json:"number,omitempty"`
	Choices []Choice  `json:"choices,omitempty"`
	Words   *Words    `json:"words,omitempty"`
	Curve   *Series   `json:"curve,omitempty"` // Points is the true curve
	Most    float64   `json:"most,omitempty"`  // of a curve: the end of the y axis
	Runs    []string  `json:"runs,omitempty"`  // the runs whose numbers give the answer away
}

// A Measure is the dimension of a number that a question asks for.
type Measure string

// The measures.
const (
	Plain   Measure = "number" // without a unit
	Time    Measure = "time"   // in ns
	Portion Measure = "share"  // 0 to 1, which people may write as a percentage
)

// A Number is the answer to a question for a number.
type Number struct {
	Measure   Measure `json:"measure"`
	Value     float64 `json:"value"`
	Tolerance float64 `json:"tolerance"`      // the largest difference from Value that is right
	Noun      string  `json:"noun,omitempty"` // the counted things: messages
	Near      []Near  `json:"near,omitempty"` // near misses
	Shown     string  `json:"shown"`          // the value for people
}

// A Near is a wrong answer that has a reason.
type Near struct {
	Value     float64 `json:"value,omitempty"`
	Text      string  `json:"text,omitempty"` // of an answer in words
	Tolerance float64 `json:"tolerance,omitempty"`
	Why       string  `json:"why"`
}

// A Choice is one of several answers.
type Choice struct {
	Text  string `json:"text"`
	Right bool   `json:"right"`
	Why   string `json:"why"` // why it is right or wrong
}

// Words are the answer to a question for a name.
type Words struct {
	Accept []string `json:"accept"`
	Near   []Near   `json:"near,omitempty"`
	Known  []string `json:"known,omitempty"` // the names among which the answer is, for those who mistype it
}
