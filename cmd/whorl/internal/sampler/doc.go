// Package sampler samples the threads of programs by the performance events of Linux: at regular intervals of processor time the kernel notes the
// call stack of each running thread. It needs no other program.
//
// The samples are written as text in the form of perf script, which the importer of that form reads: one writer and one reader of samples, whoever has
// taken them. Stacks are those that frame pointers lead through.
package sampler
