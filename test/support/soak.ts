/** Whether this is the long run, `npm run test:soak`: more rounds, more mutations, real servers that are built first. */
export const soak: boolean = process.env['ASSAY_SOAK'] === '1';
