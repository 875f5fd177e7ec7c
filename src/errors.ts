/**
 * Wrong usage or wrong configuration: the program ends with status 2. The message names the place, the value and the remedy; one
 * line for each thing that is wrong.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Whoever read what is written has gone, such as `head` with its lines: no error. */
export function isBrokenPipe(error: Error): boolean {
  return (error as { readonly code?: unknown }).code === 'EPIPE';
}

/** What an error says, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
