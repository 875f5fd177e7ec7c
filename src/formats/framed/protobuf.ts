import protobuf from 'protobufjs';
import { asBuffer } from '../bytes/utf8.ts';
import { readVarint } from '../bytes/varint.ts';
import type { NamedSchema } from './frame.ts';
import { addFile, type Declared } from './proto-file.ts';
import { messageText } from './protobuf-text.ts';
import { budgetOf, Unreadable, type ValueLimits } from './unreadable.ts';

/**
 * The reader of the values of a `.proto` file, with the files that it imports: those that the registry has, and those of Google's
 * well-known types. Throws where one of them cannot be read.
 */
export function protobufReader(
  schema: string,
  references: readonly NamedSchema[],
): (bytes: Uint8Array, limits: ValueLimits) => string {
  const root = new protobuf.Root();
  const imported = references.map((reference) => addFile(reference.schema, root));
  const { declared, imports } = addFile(schema, root);
  const given = new Set(references.map(({ name }) => name));
  for (const name of new Set([imports, ...imported.map((file) => file.imports)].flat())) {
    const common = given.has(name) ? null : protobuf.common.get(name);
    if (common !== null) root.addJSON(common.nested ?? {});
  }
  root.resolveAll();
  return (bytes, limits) => {
    const source = { bytes, at: 0 };
    const type = root.lookupType(typeNamed(declared, indexesIn(source)));
    const reader = protobuf.Reader.create(asBuffer(bytes.subarray(source.at)));
    reader.discardUnknown = true;
    return messageText(type, type.decode(reader), budgetOf(limits, bytes.length));
  };
}

const nestedMost = 100;

/** The numbers in front of a message: how many there are, and of which message in which; none stands for the first message of the file. */
function indexesIn(source: { readonly bytes: Uint8Array; at: number }): readonly number[] {
  const count = readVarint(source);
  if (count === 0) return [0];
  if (count < 0 || count > nestedMost) throw new Unreadable('not_json', `it is said to lie ${count} messages deep`);
  return Array.from({ length: count }, () => readVarint(source));
}

function typeNamed(declared: readonly Declared[], indexes: readonly number[]): string {
  let inner: readonly Declared[] | undefined = declared;
  let found: Declared | undefined;
  for (const index of indexes) {
    found = inner?.[index];
    inner = found?.inner;
  }
  if (found !== undefined) return found.name;
  throw new Unreadable('not_json', `its schema has no message number ${indexes.join('.')}`);
}
