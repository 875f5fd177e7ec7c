/**
 * Wrong usage or wrong configuration: the program ends with status 2. The message names the place, the value and the remedy; one
 * line for each thing that is wrong.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Returns whether an error says that the reader of the output has gone, such as `head` with its lines: that is no error. */
export function isBrokenPipe(error: Error): boolean {
  return (error as { readonly code?: unknown }).code === 'EPIPE';
}

/** The message of an error, or of any other value that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
