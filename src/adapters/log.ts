import { pino } from 'pino';
import { programName } from '../name.ts';
import type { Log } from '../ports.ts';

export interface LogOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** Lines for people rather than JSON; `auto`: where stderr is a terminal. */
  readonly pretty: boolean | 'auto';
  readonly version: string;
  /** Number of the thread, where several write to the log. */
  readonly thread?: number;
}

/** Fields that are never logged, at the top or one level down. */
const secrets = ['password', 'passphrase', 'sasl', 'ssl'];

/**
 * Logs to stderr, a line of JSON each: `time` (ISO 8601), `level` (a word), `service`, `version`, the fields, `msg`. stdout is for
 * data. Lines are written before the call returns, so that none is lost when the process exits; a closed stderr is no error.
 */
export function createLog({ level, pretty, version, thread }: LogOptions): Log {
  const forPeople = pretty === 'auto' ? process.stderr.isTTY : pretty;
  const options = {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    base: { service: programName, version, ...(thread !== undefined && { thread }) },
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`]), censor: '********' },
  };
  const destination = forPeople
    ? { write: (line: string) => void process.stderr.write(prettyLine(line)) }
    : pino.destination({ dest: 2, sync: true });
  return pino(options, destination);
}

/** A log line for people: `04:09:59.123 warn  message  key=value`, the stack of an error below. */
export function prettyLine(json: string): string {
  const { time, level, service: _service, version: _version, msg, err, ...fields } = JSON.parse(json) as LoggedFields;
  const shown = Object.entries(fields).map(([key, value]) => `  ${key}=${JSON.stringify(value)}`);
  const stack = err === undefined ? '' : `\n${err.stack ?? err.message}`;
  return `${visible(`${time.slice(11, 23)} ${level.padEnd(5)} ${msg ?? ''}${shown.join('')}${stack}`)}\n`;
}

interface LoggedFields {
  readonly time: string;
  readonly level: string;
  readonly service?: string;
  readonly version?: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [field: string]: unknown;
}

/** Data must not steer the terminal: control characters but the line feed are shown as \uXXXX. */
function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it looks for
  const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;
  return text.replace(control, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
