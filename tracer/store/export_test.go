package store

// FGHCLike is fghcLike for the tests outside of the package.
var FGHCLike = fghcLike
