import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** What a judge was asked. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: {
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly input: readonly string[];
    readonly response_format?: { readonly type: string; readonly schema?: object };
    readonly max_tokens?: number;
    readonly max_completion_tokens?: number;
    readonly temperature?: number;
  };
}

/** How a request is answered. */
export type Behaviour = (response: ServerResponse, asked: Asked) => void | Promise<void>;

export interface JudgeServer {
  readonly url: string;
  readonly asked: Asked[];
  /** The first requests are answered by these, one each. */
  readonly next: Behaviour[];
  /** All others are. */
  usual: Behaviour;
  /** Requests under way, and the most there were at a time. */
  readonly flight: { now: number; most: number };
}

/** A server in OpenAI's form that ends with the test. */
export async function judgeServer(
  context: Pick<TestContext, 'after'>,
  usual: Behaviour = honest,
): Promise<JudgeServer> {
  const asked: Asked[] = [];
  const next: Behaviour[] = [];
  const flight = { now: 0, most: 0 };
  const http = createServer(async (request, response) => {
    flight.most = Math.max(flight.most, ++flight.now);
    response.on('close', () => flight.now--);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url = '', headers } = request;
    const one = { path: url, headers, body: JSON.parse(Buffer.concat(chunks).toString()) as Asked['body'] };
    asked.push(one);
    await (next.shift() ?? server.usual)(response, one);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  const server: JudgeServer = { url: `http://127.0.0.1:${port}`, asked, next, usual, flight };
  return server;
}

/** What a request quotes as data, and all that stands outside of it. */
export function quotedIn({ body }: Asked): { readonly data: string; readonly outside: string } {
  const text = body.messages.map(({ content }) => content).join('\n');
  const start = text.lastIndexOf('<data>\n');
  const end = text.indexOf('\n</data>', start);
  return { data: text.slice(start + '<data>\n'.length, end), outside: text.slice(0, start) + text.slice(end) };
}

/** A completion with this content. */
export function says(content: unknown, more: object = {}): Behaviour {
  return (response) => {
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content }, ...more }];
    json(response, { choices, usage: { prompt_tokens: 100, completion_tokens: 10 } });
  };
}

/** A status, with headers. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}, text = 'no'): Behaviour {
  return (response) => void response.writeHead(code, headers).end(text);
}

/** llama.cpp's Python server: to a form of the answer that it does not know it says 500, and without a schema its small model names no score. */
export const llamaCpp: Behaviour = (response, asked) => {
  const form = asked.body.response_format;
  if (form?.type === 'json_schema') {
    const loc = "{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'input': 'json_schema'}";
    const error = { message: `1 validation error:\n  ${loc}`, type: 'internal_server_error', param: null, code: null };
    response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  } else
    return says(form?.schema ? '{"reason": "The function is not implemented","score": 10}' : '{"reason": "The"}')(
      response,
      asked,
    );
};

/** The connection ends instead of an answer. */
export const reset: Behaviour = (response) => void response.socket!.destroy();

/** The connection ends in the middle of an answer. */
export const cut: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
  response.write('{"choices": [');
  setImmediate(() => response.socket!.destroy());
};

/** No answer at all. */
export const silent: Behaviour = () => undefined;

/** Embeddings by the text, two numbers each, or what `of` makes of them. */
export const embeds =
  (of: (text: string) => unknown = letters): Behaviour =>
  (response, { body }) => {
    const data = body.input.map((text, index) => ({ index, embedding: of(text) }));
    json(response, { data, usage: { prompt_tokens: 20 } });
  };

function letters(text: string): number[] {
  return [...text].reduce((counts, letter) => {
    counts[letter.codePointAt(0)! % 16]! += 1;
    return counts;
  }, new Array<number>(16).fill(0));
}

/**
 * Obeys what stands outside of the quoted data, as a model may; else 7 where both sides are equal, 2 where they differ. Embeddings count letters.
 */
export const honest: Behaviour = (response, asked) => {
  if (asked.path.endsWith('/embeddings')) return embeds()(response, asked);
  const { data, outside } = quotedIn(asked);
  const told = /score[ :=]*(\d)/i.exec(outside)?.[1];
  const { expected, predicted } = JSON.parse(data) as { readonly expected: unknown; readonly predicted: unknown };
  const score = told ?? (JSON.stringify(expected) === JSON.stringify(predicted) ? 7 : 2);
  return says(JSON.stringify({ reason: 'compared', score: Number(score) }))(response, asked);
};

/** Answers with JSON. */
export function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
