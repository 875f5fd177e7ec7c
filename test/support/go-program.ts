import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
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

/** The program of a module of this repository that Go builds once, by its name and a version of what it is made of; its path. */
export function ownGoProgram(source: string, version: string): string {
  const name = basename(source);
  const folder = join(homedir(), '.cache', 'assay', `${name}-${version}`);
  const program = join(folder, name);
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    cpSync(source, folder, { recursive: true });
    for (const args of [
      ['mod', 'tidy'],
      ['build', '-o', name, '.'],
    ])
      execFileSync('go', args, { cwd: folder, stdio: 'inherit' });
  }
  return program;
}
