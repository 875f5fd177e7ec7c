import { isObject, type Json } from '../../scoring/json.ts';
import { type ArgumentError, argumentErrors } from '../../scoring/match/kinds.ts';
import { hiddenValue, type PreviewOptions, previewText, shortText } from '../json/preview.ts';

/** A wrong argument of a failed event by family `match`: short texts only. */
export interface MatchError {
  readonly error: ArgumentError;
  readonly tool: string;
  readonly path: string;
  /** Beginning of the value's JSON text; null where the argument is absent. */
  readonly expected: string | null;
  readonly actual: string | null;
  /** The rule in force there, as JSON text; null where there is none. */
  readonly rule: string | null;
}

const errorsMax = 8;
/** Characters of a name in what is shown of an event. */
export const nameCharacters = 256;

/** The errors of arguments in the score row of family `match`. */
export function matchErrors(row: Json | undefined, preview: PreviewOptions): MatchError[] {
  const errors = isObject(row) && Array.isArray(row['errors']) ? (row['errors'] as Json[]) : [];
  return errors
    .flatMap((one): MatchError[] => {
      if (!isObject(one)) return [];
      const { error, tool, path, rule = null } = one;
      if (!isArgumentError(error) || typeof tool !== 'string' || typeof path !== 'string') return [];
      const text = (value: Json | undefined): string =>
        isHiddenAt(path, preview) ? hiddenValue : previewText(value ?? null, preview);
      return [
        {
          error,
          tool: shortText(tool, nameCharacters),
          path: shortText(path, nameCharacters),
          expected: error === 'unexpected_argument' ? null : text(one['expected']),
          actual: error === 'missing_argument' ? null : text(one['actual']),
          rule: rule === null ? null : text(rule),
        },
      ];
    })
    .slice(0, errorsMax);
}

function isArgumentError(error: unknown): error is ArgumentError {
  return argumentErrors.some((one) => one === error);
}

/** Returns whether a path holds a hidden name: it may be of a key with points in it. */
export function isHiddenAt(path: string, { redact }: PreviewOptions): boolean {
  return redact === 'all' || [...redact].some((name) => path.includes(name));
}
