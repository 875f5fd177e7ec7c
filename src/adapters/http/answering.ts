import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOfBrowser, userOf } from './access.ts';
import type { Body, ReadBody } from './body.ts';
import { type Reply, textReply } from './reply.ts';

/** One path of a server under one method; a path that is read answers HEAD too. */
export type Route = ReadRoute | WriteRoute;

export interface ReadRoute {
  readonly path: string;
  readonly method?: undefined;
  readonly handler: (request: HttpRequest) => Reply | Promise<Reply>;
}

export interface WriteRoute {
  /** One that ends in a slash stands for all paths that have one more part. */
  readonly path: string;
  readonly method: 'POST' | 'DELETE';
  readonly handler: (request: WriteRequest) => Reply | Promise<Reply>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD';
  readonly query: URLSearchParams;
  /** The header of that name. */
  readonly accept?: string | undefined;
  /** The name of a login. */
  readonly user?: string | undefined;
}

export interface WriteRequest {
  readonly query: URLSearchParams;
  /** The media type of the header of that name, in lower case and without parameters. */
  readonly contentType: string | undefined;
  /** A browser has sent it. */
  readonly isOfBrowser: boolean;
  /** The last part of a path under a route that ends in a slash, decoded; else empty. */
  readonly rest: string;
  /** Reads the body, once the headers were found right. */
  body(): Promise<Body>;
}

/** Answers a request that was let in. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<Reply>;

/** Answers requests by a table of routes. A handler that throws is reported to `onError`, and the client gets status 500. */
export function answering(routes: readonly Route[], readBody: ReadBody, onError: (error: unknown) => void): Answer {
  const table = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const methods = table.get(route.path) ?? new Map<string, Route>();
    table.set(route.path, methods.set(route.method ?? 'GET', route));
  }
  return async (request, response) => {
    const { method = '', url = '' } = request;
    if (url.length > urlLengthMax)
      return refusal(request, 414, `the address is longer than ${urlLengthMax} characters; shorten it`);
    const [path, query] = splitAt(url.replace(absoluteForm, ''), '?');
    const { methods, rest } = routesOf(path, table);
    if (rest === undefined) return refusal(request, 400, `the path cannot be decoded; ${percentEncoding}`);
    if (methods === undefined) return refusal(request, 404, `not found; there are: ${[...table.keys()].join(' ')}`);
    const route = methods.get(method === 'HEAD' ? 'GET' : method);
    if (route === undefined) return notAllowed(methods);
    if (route.method !== 'POST' && hasBody(request))
      return refusal(request, 413, 'this request takes no body; send it without one');
    try {
      const asked = { query: new URLSearchParams(query), accept: request.headers.accept };
      if (route.method === undefined) {
        const user = userOf(request);
        return await route.handler({ ...asked, user, method: method as HttpRequest['method'] });
      }
      return await route.handler({
        ...{ ...asked, rest, isOfBrowser: isOfBrowser(request) },
        contentType: request.headers['content-type']?.replace(/;.*/, '').trim().toLowerCase(),
        body: () => readBody(request, response),
      });
    } catch (error) {
      onError(error);
      return textReply(500, 'internal error; see the log');
    }
  };
}

const urlLengthMax = 2048;
const percentEncoding =
  'write each character that is no letter or digit as % and two hexadecimal digits, % itself as %25';
/** A proxy may send the whole address (RFC 9112, 3.2.2). */
const absoluteForm = /^https?:\/\/[^/?]*/i;

/** The routes of a path by method, and its last part where they stand for all such parts; undefined where that cannot be decoded. */
function routesOf(
  path: string,
  table: ReadonlyMap<string, ReadonlyMap<string, Route>>,
): { readonly methods: ReadonlyMap<string, Route> | undefined; readonly rest: string | undefined } {
  const slash = path.lastIndexOf('/') + 1;
  const isFolder = slash === path.length && path !== '/';
  const methods = isFolder ? undefined : table.get(path);
  if (methods !== undefined || isFolder || slash < 2) return { methods, rest: '' };
  const ofFolder = table.get(path.slice(0, slash));
  return { methods: ofFolder, rest: ofFolder === undefined ? '' : decoded(path.slice(slash)) };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function notAllowed(methods: ReadonlyMap<string, Route>): Reply {
  const allowed = [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const text = `this method is not answered here; only ${allowed.join(' and ')} ${allowed.length === 1 ? 'is' : 'are'}`;
  return textReply(405, text, { allow: allowed.join(', '), connection: 'close' });
}

/** A body that may come is not waited for. */
function refusal(request: IncomingMessage, status: number, text: string): Reply {
  return hasBody(request) ? textReply(status, text, { connection: 'close' }) : textReply(status, text);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
