/**
 * JSON numbers with more digits than a double holds, as bigints whose hexadecimal digits spell their text: an `a` before it, then each digit as
 * it is, `b` for the minus, `d` for the point, `e` for the exponent. Hence equal numbers are identical, as values and as keys of a map, and
 * nothing takes one for an object or a text.
 *
 * 1234567890123456789.50 is 0xa1234567890123456789d5n.
 */

const form = /^(-?)0*(\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Every number of so many digits is the shortest text of a double. */
const digitsOfDouble = 15;
/** Most zeros that are written out rather than as an exponent. */
const zerosMax = 20;

/** The number of a JSON text: a double where its shortest text has the same digits, else with all of them. */
export function numberIn(text: string): number | bigint {
  const double = Number(text);
  const spelled = spelling(text);
  if (spelled === undefined || spelled === spelling(String(double))) return double;
  return BigInt(`0xa${spelled.replace(/[-.]/g, (sign) => (sign === '-' ? 'b' : 'd'))}`);
}

/** The JSON text of a long number. */
export function longText(long: bigint): string {
  return long
    .toString(16)
    .slice(1)
    .replace(/[bd]/g, (sign) => (sign === 'b' ? '-' : '.'));
}

/** Returns whether a value is a number of any length. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Returns whether a value is a number without a fraction. */
export function isWhole(value: unknown): boolean {
  return typeof value === 'bigint' ? !/\.|e-/.test(longText(value)) : Number.isInteger(value);
}

/** The double nearest to a number. */
export function doubleOf(number: number | bigint): number {
  return typeof number === 'bigint' ? Number(longText(number)) : number;
}

/** How far two numbers lie apart, as a double; never nearer than doubles of their size lie where one has more digits. */
export function distance(a: number | bigint, b: number | bigint): number {
  // The difference of two equal infinities (1e999) is no number.
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b);
  const x = doubleOf(a);
  return Math.max(Math.abs(x - doubleOf(b)), (Math.abs(x) * Number.EPSILON) / 2);
}

/** The one text of a number with more digits than every double has; undefined for any other, and for an exponent that nothing could hold. */
function spelling(text: string): string | undefined {
  const [, sign, before = '', after = '', power = '0'] = form.exec(text) ?? [];
  const all = before + after;
  const [start, end] = [before === '' ? leadingZeros(after) : 0, withoutZeros(all)];
  const digits = all.slice(start, end);
  if (digits.length <= digitsOfDouble) return undefined;
  const exponent = Number(power) - after.length + all.length - end;
  const point = digits.length + exponent;
  if (!Number.isSafeInteger(exponent)) return undefined;
  if (exponent >= 0 && exponent <= zerosMax) return `${sign}${digits}${'0'.repeat(exponent)}`;
  if (exponent < 0 && point > 0) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  if (exponent < 0 && point >= -zerosMax) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits}e${exponent}`;
}

function leadingZeros(digits: string): number {
  let zeros = 0;
  while (digits[zeros] === '0') zeros++;
  return zeros;
}

/** Length of a text without the zeros at its end. (A regular expression would try from each zero on.) */
function withoutZeros(digits: string): number {
  let length = digits.length;
  while (digits[length - 1] === '0') length--;
  return length;
}
