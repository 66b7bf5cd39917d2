import fc from 'fast-check';

// Loaded before the tests of every package that has properties. All runs have one seed, because a check that may ship or stop a
// change must say the same of the same code.
fc.configureGlobal({ seed: 20261121 });
