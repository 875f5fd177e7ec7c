/** A refused or expired prediction on its way to the dead letters. */
export interface DeadLetter {
  readonly reason: string;
  readonly detail: string;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  /** Key and value are null because they were not read: the batch of the record is too large. */
  readonly unread?: true;
  readonly source:
    | { readonly topic: string; readonly partition: number; readonly offset: number; readonly element?: number }
    | { readonly file: string; readonly line: number; readonly element?: number };
}
