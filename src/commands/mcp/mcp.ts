import { once } from 'node:events';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { version } from '../../documents/context.ts';
import { compareAnswer, explainAnswer, failuresAnswer, incidentsAnswer, summaryAnswer } from './answers.ts';
import { pathSource, serviceSource, type Source } from './source.ts';
import { programName } from '../../name.ts';

export interface McpOptions {
  /** Address of a running service; or a summary file, or a folder of checkpoints. */
  readonly from: { readonly url: string } | { readonly path: string };
  readonly signal: AbortSignal;
}

/** `assay mcp`: answers an agent over standard input and output until that ends. Resolves with the exit status. */
export async function mcp({ from, signal }: McpOptions): Promise<number> {
  const source = 'url' in from ? serviceSource(from.url, signal) : await pathSource(from.path);
  const served = serveStdio(() => serverOver(source));
  // A pipe closes; a file or a device only ends.
  await Promise.race(['end', 'close'].map((name) => once(process.stdin, name, { signal }))).catch(() => undefined);
  await served.close();
  return 0;
}

const group = (what: string) =>
  z.string().max(1_000).default('').describe(`${what}: model=x or model=x,agent=y; empty is all traffic`);

/** A server with the five tools; none of them changes anything. */
function serverOver(source: Source): McpServer {
  const server = new McpServer({ name: programName, version });
  const add = <Input extends z.ZodObject>(
    name: string,
    description: string,
    inputSchema: Input,
    answer: (input: z.output<Input>) => Promise<string>,
  ): void => {
    const annotations = { readOnlyHint: true, openWorldHint: false };
    server.registerTool(name, { description, inputSchema: inputSchema as z.ZodObject, annotations }, async (input) => ({
      content: [{ type: 'text', text: await answer(input as z.output<Input>) }],
    }));
  };
  add(
    'summary',
    'Scores of tool-calling decisions: coverage, counts of records, headline metrics with 95 % intervals by group.',
    z.object({
      by: z.string().max(200).default('').describe('dimensions of the groups, such as model; empty is all traffic'),
      window: z.string().max(20).default('all').describe('all, or a window such as 5m'),
    }),
    ({ by, window }) => summaryAnswer(source, by, window),
  );
  add('incidents', 'Alarms of the last 24 hours that belong together, with their causes.', z.object({}), () =>
    incidentsAnswer(source),
  );
  add(
    'failures',
    'The arguments of tools that go wrong most often, and the latest failed events: expected and actual values.',
    z.object({ model: z.string().max(1_000).optional().describe('the model that failed; left out: any') }),
    ({ model }) => failuresAnswer(source, model),
  );
  add(
    'explain',
    'What was wrong with the events of an example, as far as failed events are known.',
    z.object({ id: z.string().max(1_000).describe('example_id or event_id') }),
    ({ id }) => explainAnswer(source, id),
  );
  add(
    'compare',
    'Is group b as good as group a? Differences of the headline metrics with intervals: better, worse, same or unclear.',
    z.object({ a: group('reference'), b: group('candidate') }),
    ({ a, b }) => compareAnswer(source, a, b),
  );
  return server;
}
