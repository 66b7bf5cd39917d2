import fc from 'fast-check';

/**
 * Loaded before the tests of every package that has properties. One seed for all runs: a check that may ship or stop a
 * change has to say the same of the same code. `PROPERTY_SEED=random` looks for what the usual seed does not find, and
 * a number repeats a run.
 */
const wanted = process.env.PROPERTY_SEED ?? '20261121';

fc.configureGlobal(wanted === 'random' ? {} : { seed: Number(wanted) });
