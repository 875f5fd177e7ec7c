import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';

/** Path of the first of these commands that is installed. */
export function installed(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** A test that needs a command of the machine: without it the test is skipped and says so; in CI it fails. */
export function testWith(
  names: readonly string[],
  title: string,
  body: (context: TestContext, command: string) => Promise<void> | void,
): void {
  const command = installed(...names);
  if (command !== undefined) {
    test(title, (context) => body(context, command));
    return;
  }
  const missing = `${names.join(' or ')} is not installed`;
  if (process.env['CI'] === 'true') {
    test(title, () => {
      throw new Error(`${missing}; .ci/run installs what the tests need`);
    });
  } else test(title, { skip: `*** ${missing} ***` }, () => undefined);
}

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly input?: string } = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options.cwd === undefined ? {} : { cwd: options.cwd });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
    child.stdin.on('error', () => undefined).end(options.input ?? '');
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
