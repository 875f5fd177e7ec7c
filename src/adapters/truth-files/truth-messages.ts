import type { LoadedTruth } from '../../formats/truth/open.ts';
import type { TruthInfo } from '../../formats/truth/table.ts';

/** What the loader asks its thread. */
export interface TruthRequest {
  readonly files: readonly string[];
  readonly background: boolean;
  readonly callsMax: number | undefined;
}

/** What the thread answers. */
export type TruthAnswer =
  | { readonly kind: 'working'; readonly file: string }
  | { readonly kind: 'loaded'; readonly loaded: LoadedTruth; readonly info: TruthInfo }
  | { readonly kind: 'refused'; readonly known: boolean; readonly message: string };
