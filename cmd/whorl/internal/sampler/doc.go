// Package sampler samples the threads of programs by the performance events of Linux: at regular intervals of processor time the kernel notes the
// call stack of each running thread. It needs no other program.
//
// A Sampler writes text in the form of perf script, because an importer reads that form already. It follows stacks by their frame pointers.
package sampler
