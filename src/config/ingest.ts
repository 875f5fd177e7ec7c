import { createHash } from 'node:crypto';
import * as z from 'zod';
import { UsageError } from '../errors.ts';
import { choice, duration, key, list, text, whole } from './fields.ts';
import { textOf } from './text-file.ts';

const rights = choice('read', 'write');

/** `ingest`: records that are sent to `http.port`, and the log inside, which keeps them where no broker is named (docs/reference/log-inside.md). */
export const ingest = z.strictObject({
  partitions: key(
    whole(1).max(64).default(4),
    8,
    'Partitions of the log inside: as many threads can score. Cannot change once the log was made.',
  ),
  keep: key(
    duration().prefault('1h'),
    '7d',
    'How long records stay in the log inside after they were scored, for --rebuild.',
  ),
  backlog: key(
    whole(1).default(256 * 2 ** 20),
    1024 * 2 ** 20,
    'Bytes of records in the log inside that may wait to be scored; beyond, senders get status 429.',
  ),
  tokens: key(
    list(
      z.strictObject({
        file: key(
          text(),
          '/etc/assay/writers',
          'File with tokens, one a line, each of at least 16 characters; it is read again every 5 s.',
        ),
        rights: key(
          list(rights, '[write]').default(['write']),
          ['read', 'write'],
          'Rights of these tokens: write (send events, spans and truth), read (web page, API, metrics).',
        ),
      }),
      '[{file: /etc/assay/writers}]',
    ).default([]),
    [{ file: '/etc/assay/writers' }],
    'Bearer tokens that may write or read at http.port. Where any may write, nothing else may.',
  ),
  to: key(
    z.literal('kafka', { error: 'is not kafka; leave it out to take nothing where brokers are configured' }).optional(),
    'kafka',
    'Beside brokers: produce what is sent to http.port into the first of kafka.topics, and truth into kafka.truth_topic. Default: nothing is taken there.',
  ),
});

/** A bearer token: its SHA-256 in hexadecimal, and what its holder may do. */
export interface IngestToken {
  readonly sha256: string;
  readonly rights: readonly ('read' | 'write')[];
}

/** The tokens of all files. Throws a `UsageError` that names file and remedy; no message holds a token. */
export function readTokens(
  files: readonly { readonly file: string; readonly rights: IngestToken['rights'] }[],
): readonly IngestToken[] {
  return files.flatMap(({ file, rights: may }) =>
    tokensIn(file).map((token) => ({ sha256: sha256(token), rights: may })),
  );
}

/** A shorter token can be guessed. */
const charactersMin = 16;

function tokensIn(file: string): readonly string[] {
  const refuse = (problem: string): never => {
    throw new UsageError(`ingest.tokens: ${file}: ${problem}`);
  };
  const lines = readLines(file, refuse);
  if (lines.length === 0) refuse('holds no token; write one a line: openssl rand -hex 32');
  for (const [at, line] of lines.entries()) {
    if (line.length < charactersMin)
      refuse(`token ${at + 1} has less than ${charactersMin} characters; make one with openssl rand -hex 32`);
    if (!/^[\x21-\x7e]+$/.test(line))
      refuse(`token ${at + 1} has white space or other characters than ASCII; make one with openssl rand -hex 32`);
  }
  return lines;
}

function readLines(file: string, refuse: (problem: string) => never): readonly string[] {
  try {
    return textOf(file)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  } catch (error) {
    return refuse(`cannot be read: ${(error as Error).message}`);
  }
}

function sha256(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
