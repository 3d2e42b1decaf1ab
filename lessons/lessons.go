// Package lessons holds the lessons that come with Whorl: a folder each, in the format of package lesson/script.
package lessons

import (
	"embed"
	"io/fs"
)

//go:embed */*
var folders embed.FS

// Names lists the lessons in the order of a course.
var Names = []string{
	"reading-a-kaleidoscope",
	"load-balance",
	"grain-size",
	"on-demand-or-stealing",
	"waves",
	"amdahl",
	"work-and-span",
	"communication",
	"data-distribution",
	"one-slow-process",
	"deadlock",
	"contexts",
}

// Folder returns the folder of a lesson.
func Folder(name string) (fs.FS, error) { return fs.Sub(folders, name) }
