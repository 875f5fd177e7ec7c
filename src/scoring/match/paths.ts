/** A piece of a path: a name or an index; undefined is any. */
export type Piece =
  | { readonly kind: 'name'; readonly name: string | undefined }
  | { readonly kind: 'index'; readonly index: number | undefined };

/** Where a rule holds: at one path, or at each that has these pieces; `everywhere` at every path. */
export interface PathPattern {
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly everywhere: boolean;
}

/** The place of a value in arguments: keys and indices. */
export type Trail = readonly (string | number)[];

const pieceForm = /\.?([^.[\]]+)|\[(\d+|\*)\]/y;

/**
 * A path such as `filters.date` or `items[*].id`; undefined where no argument can have it. `*` is any one name, `[*]` any index; with
 * `wholeStar` a path that is `*` alone is every path.
 */
export function pathPattern(text: string, wholeStar: boolean): PathPattern | undefined {
  const pieces: Piece[] = [];
  for (pieceForm.lastIndex = 0; pieceForm.lastIndex < text.length; ) {
    const at = pieceForm.lastIndex;
    const found = pieceForm.exec(text);
    if (found === null) return undefined;
    const [piece, name, index] = found;
    // A name follows a point, but for the first.
    if (name !== undefined && (at === 0) === piece.startsWith('.')) return undefined;
    if (name !== undefined) pieces.push({ kind: 'name', name: name === '*' ? undefined : name });
    else pieces.push({ kind: 'index', index: index === '*' ? undefined : Number(index) });
  }
  if (pieces[0]?.kind !== 'name') return undefined;
  return { text, pieces, everywhere: wholeStar && text === '*' };
}

/** Returns whether a key is written in a path as several pieces: `user.name` is the path of that key, as of `name` within `user`. */
export function isCompound(step: string | number): boolean {
  return typeof step === 'string' && /[.[\]]/.test(step);
}

/** How many pieces of a path, from `at` on, stand for a key or an index; 0 where they do not. */
export function piecesFor({ pieces }: PathPattern, at: number, step: string | number): number {
  const piece = pieces[at];
  if (piece === undefined) return 0;
  if (fits(piece, step)) return 1;
  const written = isCompound(step) ? (pathPattern(String(step), false)?.pieces ?? []) : [];
  const all = written.every((one, i) => pieces[at + i] !== undefined && isWithin(one, pieces[at + i]!));
  return all ? written.length : 0;
}

function fits(piece: Piece, step: string | number): boolean {
  if (piece.kind === 'name') return typeof step === 'string' && (piece.name === undefined || piece.name === step);
  return typeof step === 'number' && (piece.index === undefined || piece.index === step);
}

function isWithin(one: Piece, piece: Piece): boolean {
  if (one.kind === 'name') return piece.kind === 'name' && (piece.name === undefined || piece.name === one.name);
  return piece.kind === 'index' && (piece.index === undefined || piece.index === one.index);
}

/** A trail as text: `items[0].id`. */
export function pathText(trail: Trail): string {
  return trail.reduce<string>(
    (path, step) => (typeof step === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
    '',
  );
}

/** Length of the literal text before the first `*` of a path or glob; of one without, more than any. */
export function literalLength(pattern: string): number {
  const star = pattern.indexOf('*');
  return star < 0 ? Number.POSITIVE_INFINITY : star;
}

/** Returns whether a name fits a glob, in which `*` is any text. */
export function fitsGlob(glob: string, name: string): boolean {
  const [first, ...rest] = glob.split('*');
  if (rest.length === 0) return glob === name;
  const last = rest.pop()!;
  if (!name.startsWith(first!) || !name.endsWith(last)) return false;
  let at = first!.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

/** The path of an argument for any index: `items[0].id` and `items[7].id` are `items[*].id`. */
export function anyIndex(path: string): string {
  return path.includes('[') ? path.replace(/\[\d+\]/g, '[*]') : path;
}
