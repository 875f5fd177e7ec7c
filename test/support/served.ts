import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from './program.ts';
import type { Summary } from './service.ts';
import { until } from './until.ts';

/** A service that runs without Kafka: records come over HTTP. */
export interface Served {
  readonly process: ChildProcess;
  readonly url: string;
  post(
    path: string,
    body: string | Uint8Array,
    type?: string,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  summary(): Promise<Summary>;
}

/** Starts the program in a folder; `config`: its configuration, none by default; `port`: any free one by default. */
export async function serve(cwd: string, threads = '1', config?: object, port = 0): Promise<Served> {
  const env = { ASSAY_HTTP__PORT: `${port}`, ASSAY_STATE__CHECKPOINT_EVERY: '500ms', ASSAY_RUN__THREADS: threads };
  if (config !== undefined) writeFileSync(join(cwd, 'assay.json'), JSON.stringify(config));
  const file = config === undefined ? [] : ['-c', 'assay.json'];
  const child = startProgram(['run', ...file], { cwd, env });
  let log = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  await until('it serves', () => /"url":"[^"]+"/.test(log));
  const url = /"url":"([^"]+)"/.exec(log)![1]!;
  return {
    process: child,
    url,
    async post(path, body, type = 'application/json') {
      const headers = { 'content-type': type };
      const answer = await fetch(url + path, { method: 'POST', body: body as string, headers });
      const isJson = answer.headers.get('content-type')?.startsWith('application/json');
      return { status: answer.status, body: isJson ? ((await answer.json()) as Record<string, unknown>) : {} };
    },
    summary: async () => (await (await fetch(`${url}/api/v1/summary`)).json()) as Summary,
  };
}

/** A rate of the total, as `1/2`. */
export const rateIn = ({ groups }: Summary, family: string, name: string): string | undefined => {
  const rate = (groups[0]?.[family] as Record<string, { numerator: number; denominator: number }> | undefined)?.[name];
  return rate && `${rate.numerator}/${rate.denominator}`;
};
