import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';

/** A program that Go builds once, from its module at a version; its path. */
export function goProgram(packagePath: string, version: string): string {
  const name = basename(packagePath);
  const folder = join(homedir(), '.cache', 'assay', `${name}-${version}`);
  const program = join(folder, name);
  if (!existsSync(program)) {
    const env = { ...process.env, GOBIN: folder };
    execFileSync('go', ['install', `${packagePath}@${version}`], { env, stdio: 'inherit' });
  }
  return program;
}
