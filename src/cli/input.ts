import type { Command } from 'commander';
import type { Setting } from '../config/layer.ts';
import { UsageError } from '../errors.ts';
import { append } from './context.ts';

/** Flags that say how records are read. */
export interface InputFlags {
  readonly format?: string;
  readonly field?: readonly string[];
  readonly response?: string;
  readonly request?: string;
}

/** Adds them to a command. */
export function addInputOptions(command: Command): Command {
  return command
    .option('--format <format>', 'form of the events: input.format (default: auto)')
    .option('--field <name=place>', 'where a field lies: input.fields.NAME; again for another place', append)
    .option('--response <pointer>', "where the provider's answer lies: input.response")
    .option('--request <pointer>', 'where the request lies: input.request');
}

/** What they set in the configuration. */
export function inputSettings({ format, field, response, request }: InputFlags): readonly Setting[] {
  return [
    ...setting('--format', ['input', 'format'], format),
    ...setting('--response', ['input', 'response'], response),
    ...setting('--request', ['input', 'request'], request),
    ...fieldSettings(field ?? []),
  ];
}

/** One key of the configuration that a flag sets, where it is given. */
export function setting(flag: string, path: readonly string[], value: unknown): readonly Setting[] {
  return value === undefined ? [] : [{ path, value, place: flag }];
}

/** `--field example_id=/id`; of several places for one field, the first present counts. */
function fieldSettings(given: readonly string[]): readonly Setting[] {
  const places = new Map<string, string[]>();
  for (const text of given) {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`--field ${text} is not NAME=PLACE; write it as example_id=/metadata/id`);
    const name = text.slice(0, at);
    places.set(name, [...(places.get(name) ?? []), text.slice(at + 1)]);
  }
  return [...places].flatMap(([name, list]) => setting('--field', ['input', 'fields', name], list));
}
