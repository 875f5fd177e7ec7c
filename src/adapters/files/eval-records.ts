import { readFile, stat } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { messageOf } from '../../errors.ts';
import { parsedOr } from '../../formats/json/parsed.ts';
import { jsonText } from '../../formats/json/json-text.ts';
import { isObject, type Json } from '../../scoring/json.ts';
import { utf8 } from '../../state/containers/hash128.ts';
import { decodeUtf8 } from '../../formats/bytes/utf8.ts';
import type { LogRecord } from '../../stream/event.ts';
import type { RecordBatch } from './file-records.ts';

/** Most bytes that a log may have, as a file and unpacked: far more than real ones have, far less than memory. */
const fileBytesMax = 2 ** 29;
const unpackedBytesMax = 2 ** 30;

/**
 * Records of a log of Inspect (`.eval`, a zip): one for each sample, in the order of their names, with the `eval` of the log's header. Rejects, naming
 * the file, where it is no such zip, or unpacks to too much.
 */
export async function evalRecords(path: string): Promise<{ readonly batches: AsyncIterable<RecordBatch> }> {
  const { size } = await stat(path);
  if (size > fileBytesMax) throw new Error(`${path}: is larger than ${fileBytesMax} bytes; split the evaluation`);
  const files = unpacked(path, await readFile(path));
  const header = jsonOf(files['header.json'] ?? files['_journal/start.json']);
  const about = isObject(header) ? (header['eval'] ?? null) : null;
  const samples = Object.keys(files)
    .filter((name) => name.startsWith('samples/'))
    .sort();
  const batches = (async function* () {
    for (const [at, name] of samples.entries()) {
      const sample = jsonOf(files[name]);
      if (!isObject(sample)) throw new Error(`${path}: ${name} in it is no JSON object`);
      const bytes = utf8(jsonText({ ...sample, eval: about as Json }));
      const record: LogRecord = { bytes, start: 0, end: bytes.length, offset: at + 1, timestamp: Number.NaN };
      yield { records: [record], bytesRead: size };
    }
  })();
  return { batches };
}

function jsonOf(bytes: Uint8Array = new Uint8Array()): unknown {
  return parsedOr(decodeUtf8(bytes, 0, bytes.length));
}

function unpacked(path: string, bytes: Uint8Array): Record<string, Uint8Array> {
  let total = 0;
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/^(samples\/.+|header|_journal\/start)\.json$/.test(name)) return false;
        total += originalSize;
        if (total > unpackedBytesMax) throw new Error(`it unpacks to more than ${unpackedBytesMax} bytes`);
        return true;
      },
    });
  } catch (error) {
    throw new Error(
      `${path}: is no .eval log that can be read (${messageOf(error)}); write it as JSON: inspect log dump FILE`,
    );
  }
}
