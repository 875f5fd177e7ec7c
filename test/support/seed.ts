import fc from 'fast-check';
import { soak } from './soak.ts';

/**
 * The seed of every random choice of the tests: the same in each `npm test`, so that a test that fails was broken by the change, and a new
 * one in each soak, which looks for what nobody thought of. `SEED=n` repeats a run.
 */
export const seed: number = Number(process.env['SEED'] ?? (soak ? Date.now() % 1_000_000 : 2026));

fc.configureGlobal({ seed });
