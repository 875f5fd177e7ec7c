import fc from 'fast-check';

/** Under mutation a test must fail because of the mutant, in every run, and the smallest example is of no interest. */
fc.configureGlobal({ seed: 20_26, endOnFailure: true });
