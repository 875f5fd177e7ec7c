import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Config } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/environment.ts';
import type { Setting } from '../../src/config/layer.ts';
import { type LoadedConfig, loadConfig } from '../../src/config/load.ts';
import { UsageError } from '../../src/errors.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface Written {
  /** Content of `assay.yaml`. */
  readonly yaml?: string;
  readonly environment?: Environment;
  readonly flags?: readonly Setting[];
}

/** Loads a configuration from what a user would have written. */
export function load(context: TestContext, written: Written): LoadedConfig {
  return loadIn(temporaryFolder(context), written);
}

export function configOf(context: TestContext, written: Written): Config {
  return load(context, written).config;
}

/** The lines of the error that refuses a configuration, without the folder of `assay.yaml`. */
export function refusal(context: TestContext, written: Written): readonly string[] {
  const folder = temporaryFolder(context);
  try {
    loadIn(folder, written);
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return error.message.replaceAll(`${folder}/`, '').split('\n');
  }
  return assert.fail('the configuration was accepted');
}

function loadIn(folder: string, { yaml, environment = {}, flags = [] }: Written): LoadedConfig {
  if (yaml === undefined) return loadConfig({ environment, flags });
  const file = join(folder, 'assay.yaml');
  writeFileSync(file, yaml);
  return loadConfig({ file, environment, flags });
}
