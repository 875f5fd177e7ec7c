import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../adapters/object-store/make-folder.ts';
import { type StarterForm, starterConfig, starterEvents, starterForms, starterTruth } from './starter.ts';
import { UsageError } from '../../errors.ts';
import { programName } from '../../name.ts';
import type { JsonObject } from '../../scoring/json.ts';

export interface InitOptions {
  /** The form of the events. */
  readonly from: string;
  readonly dir: string;
}

/** `assay init`: a configuration, truth and events that run at once. Overwrites nothing. Resolves with the exit status. */
export async function init({ from, dir }: InitOptions): Promise<number> {
  const form = starterForms.find((name) => name === from);
  if (form === undefined) throw new UsageError(`init: --from ${from}: there are ${starterForms.join(', ')}`);
  const files = filesOf(form);
  for (const name of Object.keys(files)) {
    const isThere = await access(join(dir, name)).then(
      () => true,
      () => false,
    );
    if (isThere) throw new UsageError(`init: ${join(dir, name)} is there already; name another folder`);
  }
  await makeFolder(dir).catch((error: Error) => {
    throw new UsageError(`init: ${dir} cannot be made (${error.message}); name another folder`);
  });
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content, { flag: 'wx' });
  process.stdout.write(nextSteps(dir, Object.keys(files)));
  return 0;
}

function filesOf(form: StarterForm): Readonly<Record<string, string>> {
  return {
    [`${programName}.yaml`]: starterConfig(form),
    'truth.ndjson': ndjson(starterTruth),
    'events.ndjson': ndjson(starterEvents(form)),
  };
}

function ndjson(records: readonly JsonObject[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

function nextSteps(dir: string, names: readonly string[]): string {
  const go = dir === '.' ? '' : `cd ${/^[\w./-]+$/.test(dir) ? dir : `'${dir.replaceAll("'", "'\\''")}'`} && `;
  return `${names.map((name) => join(dir, name)).join(', ')} written. Now, without truth: invented tools, invalid arguments, failed calls

  ${go}assay replay --events events.ndjson

and with truth: right decisions and calls, hallucinations

  ${go}assay replay -c assay.yaml --events events.ndjson

then put your own records into events.ndjson, and what was expected of them into truth.ndjson.
`;
}
