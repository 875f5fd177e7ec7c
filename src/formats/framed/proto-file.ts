import { Buffer } from 'node:buffer';
import protobuf from 'protobufjs';
import descriptor, { type IDescriptorProto, type IFileDescriptorProto } from 'protobufjs/ext/descriptor.js';

/** A message that a file declares, with those that are declared in it, in their order: a frame names a message by its numbers. */
export interface Declared {
  readonly name: string;
  readonly inner: readonly Declared[];
}

/** Declarations and imports of a `.proto` file. */
export interface ProtoFile {
  readonly imports: readonly string[];
  readonly declared: readonly Declared[];
}

/** Adds the types of a file to a root. Registries keep files as text, and some as their clients send them: a descriptor in base64. */
export function addFile(schema: string, root: protobuf.Root): ProtoFile {
  return /^[\w+/\s]+=*\s*$/.test(schema) ? addDescriptor(schema, root) : addText(schema, root);
}

/** Field names stay as the file has them. */
const asWritten: protobuf.IParseOptions = { keepCase: true };

function addText(schema: string, root: protobuf.Root): ProtoFile {
  const { imports = [], weakImports = [] } = protobuf.parse(schema, root, asWritten);
  // By itself once more: in the root its package holds the types of other files too.
  const { root: own, package: name } = protobuf.parse(schema, new protobuf.Root(), asWritten);
  const space = name === undefined ? own : own.lookup(name);
  return {
    imports: [...imports, ...weakImports],
    declared: space instanceof protobuf.Namespace ? typesIn(space) : [],
  };
}

function typesIn({ nestedArray }: protobuf.Namespace): readonly Declared[] {
  return nestedArray
    .filter((nested) => nested instanceof protobuf.Type)
    .map((type) => ({ name: type.fullName, inner: typesIn(type) }));
}

function addDescriptor(schema: string, root: protobuf.Root): ProtoFile {
  const file = descriptor.FileDescriptorProto.decode(Buffer.from(schema, 'base64')) as IFileDescriptorProto;
  const { package: name, syntax, dependency: imports = [], messageType: messages = [], enumType: enums = [] } = file;
  const edition = syntax === 'editions' ? '2023' : syntax || 'proto2';
  const space = name ? root.define(name) : root;
  for (const message of messages) space.add(protobuf.Type.fromDescriptor(message, edition));
  for (const each of enums) space.add(protobuf.Enum.fromDescriptor(each, edition));
  return { imports, declared: messages.map((message) => declaredIn(message, name ? `.${name}` : '')) };
}

function declaredIn({ name, nestedType }: IDescriptorProto, space: string): Declared {
  const full = `${space}.${name}`;
  return { name: full, inner: (nestedType ?? []).map((each) => declaredIn(each, full)) };
}
