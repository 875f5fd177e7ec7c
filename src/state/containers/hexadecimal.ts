/** Words of 32 bits as text: 8 hexadecimal digits each. */
export function hexadecimal(words: Iterable<number>): string {
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
}
