/**
 * Keys of a JSON Pointer (RFC 6901), from the outermost in; what stands before its first `/` is left out.
 *
 * `/a~1b/0` is `['a/b', '0']`.
 */
export function pointerKeys(pointer: string): string[] {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A key as a JSON Pointer writes it: `a/b` is `a~1b`. */
export function escapedKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
