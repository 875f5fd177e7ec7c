import { UsageError } from '../errors.ts';
import { contradictions, warningsOf } from './checks.ts';
import { type Config, configSchema } from './config.ts';
import { type Environment, environmentSettings, nearVariables } from './environment.ts';
import { configJsonSchema, type SchemaNode } from './json-schema.ts';
import { type Layer, layerOf, merged, type PlainObject, type Setting } from './layer.ts';
import { type Given, type Problem, problemAt, problemsOf, problemText } from './problems.ts';

import { yamlLayer } from './yaml.ts';

export interface ConfigSources {
  /** A YAML file, as `-c` names it. */
  readonly file?: string | undefined;
  readonly environment?: Environment;
  /** The settings of command line flags. */
  readonly flags?: readonly Setting[];
}

export interface LoadedConfig {
  readonly config: Config;
  /** Accepted values that were probably not meant: one line each. */
  readonly warnings: readonly string[];
}

/**
 * The effective configuration: defaults < YAML file < environment < flags. Throws a `UsageError` with a line for each thing that is
 * wrong: its place, key, value and remedy. Values of secrets are in no message.
 */
export function loadConfig({ file, environment = {}, flags = [] }: ConfigSources): LoadedConfig {
  // Making it takes longer than all the rest, and only a problem or a variable of the environment needs it.
  let made: SchemaNode | undefined;
  const schema = (): SchemaNode => (made ??= configJsonSchema());
  const fromFile = file === undefined ? undefined : yamlLayer(file);
  const fromEnvironment = environmentSettings(environment, schema);
  const layers: readonly Layer[] = [
    ...(fromFile === undefined ? [] : [fromFile]),
    layerOf(fromEnvironment.settings),
    layerOf(flags),
  ];
  const values = layers.reduce<PlainObject>((below, layer) => merged(below, layer.values), {});
  const given: Given = { schema, values, layers };

  const parsed = configSchema.safeParse(values);
  const invalid = parsed.success ? [] : parsed.error.issues.flatMap((issue) => problemsOf(issue, given));
  refuse([...fromEnvironment.problems, ...invalid]);
  const config = parsed.data!;
  refuse(contradictions(config).map(({ path, phrase }) => problemAt(path, phrase, given)));
  return { config, warnings: [...nearVariables(environment, schema), ...warningsOf(config)] };
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new UsageError(problems.map(problemText).join('\n'));
}
