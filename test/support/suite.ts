import { describe, test } from 'node:test';
import { patience } from './until.ts';

/** A suite of tests that needs what the machine may not have: where it is missing the suite is skipped, in so many words; with CI=true it fails. */
export function suite(name: string, missing: string | undefined, body: () => void, limitMs = usualLimitMs): void {
  if (missing !== undefined && process.env['CI'] === 'true') {
    test(name, () => Promise.reject(new Error(missing)));
    return;
  }
  if (missing !== undefined) console.warn(`SKIPPED: ${name}: ${missing}`);
  describe(name, { skip: missing ?? false, timeout: limitMs }, body);
}

const usualLimitMs = patience * 300_000;
