/** Keys of the schema metadata that `assay truth build` writes; `built` is "1". */
export const truthMetadata = {
  built: 'assay.truth',
  rows: 'assay.rows',
  hash: 'assay.hash',
  seal: 'assay.seal',
} as const;
