// Package space is bodies that move in three dimensions, and the links between them, in the form that programs of others can show: places,
// sizes and colours at key frames, between which those programs interpolate. Packages beside this one write it, in VRML 2.0 and X3D
// (visual/space/vrml) and in glTF (visual/space/gltf).
//
// Lengths have the unit of the model that moved the bodies. The origin is the middle of the bodies, y is up.
//
// VRML and X3D are one scene, walked once, in two notations. Key frames of a track are chosen by how programs
// interpolate: colours in VRML by their hues, turns of links the shortest way. Tracks of invisible links may be wrong,
// which saves a fifth of a mesh. Links are whole cylinders with places, turns and lengths of their own: computing them
// from the bodies would halve the files but require a program with ECMAScript.
package space
