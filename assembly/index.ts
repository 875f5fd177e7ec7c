/** What the module of the scanner exports (src/formats/prediction/scanner.ts). */
export {
  addField,
  addRule,
  fieldsMax,
  nameBytesMax,
  nestAtMost,
  rowBytesMax,
  rows,
  rowsAt,
  scan,
  textAt,
  textBytes,
} from './scanner';
export { jsonSpans } from './json-spans';
export { protobufSpans } from './protobuf-spans';
export { aboutAt } from './spans';
