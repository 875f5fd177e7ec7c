import { longText } from '../../scoring/long-number.ts';

const shownCharacters = 60;

/** A value as a message shows it: short whatever its size. */
export function shortened(value: unknown): string {
  if (typeof value === 'string') {
    return value.length > shownCharacters
      ? `${JSON.stringify(value.slice(0, shownCharacters))}…`
      : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'bigint' ? longText(value) : String(value);
}
