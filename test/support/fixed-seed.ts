import fc from 'fast-check';

/** Under mutation a test must fail because of the mutant, in every run, and the smallest example is of no interest. */
fc.configureGlobal({ seed: 20_26, endOnFailure: true });

/** Nor because instrumented code is slow: what loops is found by its hits and by the time limit of the run. */
process.cpuUsage = () => ({ user: 0, system: 0 });
