/**
 * The name of the program: of its command and of the variables, and what its metrics, headers, attributes of spans, documents and
 * metadata of files begin with. `npm run rename -- NAME` changes it here and in all text that holds it.
 */
export const programName = 'assay';
