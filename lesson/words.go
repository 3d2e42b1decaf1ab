package lesson

import "fmt"

// German has the sentences of lessons, exports and answers in German, by those in English.
var german = map[string]string{
	"Choose one of the %d answers.":                                    "Wählen Sie eine der %d Antworten.",
	"You said %s; it is %s.":                                           "Sie sagten %s; es sind %s.",
	"You said %s; it is called %s.":                                    "Sie sagten %s; es heißt %s.",
	"You said %s. %s The answer is %s.":                                "Sie sagten %s. %s Richtig ist %s.",
	"The answer is: %s":                                                "Richtig ist: %s",
	"Right: %s.":                                                       "Richtig: %s.",
	"A share lies between 0 and 100 %.":                                "Ein Anteil liegt zwischen 0 und 100 %.",
	"This cannot be less than 0.":                                      "Das kann nicht unter 0 liegen.",
	"It is more than 0.":                                               "Es ist mehr als 0.",
	"It is less than that.":                                            "Es ist weniger.",
	"It is more than that.":                                            "Es ist mehr.",
	"It is much less than that.":                                       "Es ist viel weniger.",
	"It is much more than that.":                                       "Es ist viel mehr.",
	"Write a name.":                                                    "Schreiben Sie einen Namen.",
	"It is not %s.":                                                    "Es ist nicht %s.",
	"There is no %s here; known are %s.":                               "Hier gibt es kein %s; bekannt sind %s.",
	"There is no %s here; did you mean %s?":                            "Hier gibt es kein %s; meinten Sie %s?",
	"Draw a curve from the left to the right.":                         "Zeichnen Sie eine Kurve von links nach rechts.",
	"Your curve is near the measured one.":                             "Ihre Kurve liegt nahe an der gemessenen.",
	"Your curve is too high, most at %s.":                              "Ihre Kurve liegt zu hoch, am meisten bei %s.",
	"Your curve is too low, most at %s.":                               "Ihre Kurve liegt zu tief, am meisten bei %s.",
	"Write a number, such as 12 or 1.5.":                               "Schreiben Sie eine Zahl, etwa 12 oder 1,5.",
	"Write a time with its unit, such as 2.5 ms or 40 us.":             "Schreiben Sie eine Zeit mit ihrer Einheit, etwa 2,5 ms oder 40 us.",
	"Write a share, such as 35 % or 0.35.":                             "Schreiben Sie einen Anteil, etwa 35 % oder 0,35.",
	"Which unit? Write a time with its unit, such as 2.5 ms or 40 us.": "Welche Einheit? Schreiben Sie eine Zeit mit ihrer Einheit, etwa 2,5 ms oder 40 us.",

	"open the view %s":                             "öffnen Sie die Sicht %s",
	"select %s":                                    "wählen Sie %s aus",
	"select %s, and nothing else":                  "wählen Sie %s aus und sonst nichts",
	"try the run with %s":                          "versuchen Sie den Lauf mit %s",
	"move the time to the place that is asked for": "stellen Sie die Zeit auf die gefragte Stelle",
	"choose the window of time that is asked for":  "wählen Sie das gefragte Zeitfenster",

	"Prediction":                             "Vorhersage",
	"Question":                               "Frage",
	"To do in the viewer":                    "Im Betrachter zu tun",
	"Hint":                                   "Hinweis",
	"Summary":                                "Zusammenfassung",
	"Answers":                                "Antworten",
	"Answer":                                 "Antwort",
	"Your answer":                            "Ihre Antwort",
	"Check":                                  "Prüfen",
	"Predict":                                "Vorhersagen",
	"Done":                                   "Erledigt",
	"Show the pictures without a prediction": "Bilder ohne Vorhersage zeigen",
	"Pictures that a prediction hides":       "Bilder, die eine Vorhersage verdeckt",
	"This appears when the prediction above is made.": "Das erscheint, wenn die Vorhersage darüber gemacht ist.",
	"Parameters":      "Parameter",
	"Defaults":        "Vorgaben",
	"minutes":         "Minuten",
	"%d of %d done":   "%d von %d erledigt",
	"your curve":      "Ihre Kurve",
	"measured":        "gemessen",
	"Height at %s %s": "Höhe bei %s %s",
	"Draw with the pointer, or write the heights below.":   "Zeichnen Sie mit dem Zeiger, oder schreiben Sie die Höhen darunter.",
	"The runs of this lesson":                              "Die Läufe dieser Lektion",
	"Open the lesson in the viewer: %s":                    "Die Lektion im Betrachter öffnen: %s",
	"Save this program as %s:":                             "Speichern Sie dieses Programm als %s:",
	"Programs without a file are built in: %s shows them.": "Programme ohne Datei sind eingebaut: %s zeigt sie.",
}

// Say returns a sentence in a language: English, or one that has it. Its verbs are those of package fmt.
func Say(lang, sentence string, args ...any) string {
	if t, ok := german[sentence]; ok && lang == "de" {
		sentence = t
	}
	if len(args) == 0 {
		return sentence
	}
	return fmt.Sprintf(sentence, args...)
}

// Sentences returns the sentences in a language by those in English, without those that are the same.
func Sentences(lang string) map[string]string {
	if lang == "de" {
		return german
	}
	return nil
}
