//go:build js

package encoding

// Programs reach the browser from an editor in UTF-8, so the tables of EUC-JP would only enlarge the page.

func fromEUC(string) (string, bool) { return "", false }

func toEUC(string) (string, bool) { return "", false }
