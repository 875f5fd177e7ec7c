import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentsOf, type SnapshotName } from '../../src/formats/snapshot/moments.ts';

interface File extends SnapshotName {
  /** Numbers of partitions; undefined where it does not say. */
  readonly held: string | undefined;
}

/** `A1:01` is of instance A at time 1, and holds partitions 0 and 1. */
function files(text: string): File[] {
  return text.split(' ').map((file) => {
    const [, instance = '', time, held] = /^([A-Z]?)(\d+)(?::(\d*))?$/.exec(file)!;
    return { instance, timeMs: Number(time), held };
  });
}

function namesOf(of: readonly File[]): string {
  return of
    .map(({ instance, timeMs }) => instance + timeMs)
    .sort()
    .join('+');
}

async function moments(text: string, most = 100): Promise<string> {
  const partitionsOf = async ({ held }: File) => held?.split('');
  const found = await momentsOf(files(text), partitionsOf, most);
  return found.map(({ timeMs, files: of }) => `${timeMs}=${namesOf(of)}`).join(' ');
}

const cases: readonly [why: string, files: string, moments: string][] = [
  ['one instance', 'A1:01 A2:01', '1=A1 2=A2'],
  ['a replay says nothing of partitions', '1 2 3', '1=1 2=2 3=3'],
  ['two write in turn; the first time has no second', 'A1:01 B2:23 A3:01 B4:23', '2=A1+B2 3=A3+B2 4=A3+B4'],
  ['two write at once', 'A1:01 B1:23 A2:01 B2:23', '1=A1+B1 2=A2+B2'],
  [
    'one dies and the other takes over: its last snapshot counts until then, and no more',
    'A1:01 B1:23 A2:01 A3:0123 A4:0123',
    '1=A1+B1 2=A2+B1 3=A3 4=A4',
  ],
  [
    'a partition moves: no time is made of what holds it twice, or lacks another',
    'A1:01 B1:23 A2:012 B3:3 A4:012 B5:3',
    '1=A1+B1 3=A2+B3 4=A4+B3 5=A4+B5',
  ],
  [
    'a third comes: times at which partitions are in nobody are passed over',
    'A1:01 B1:23 A2:0 B3:2 C4:13 A5:0 B6:2 C7:13',
    '1=A1+B1 4=A2+B3+C4 5=A5+B3+C4 6=A5+B6+C4 7=A5+B6+C7',
  ],
  [
    'what nobody holds any more after two rounds is given up',
    'A1:01 B1:23 A2:012 A3:012 A4:012 A5:012',
    '1=A1+B1 3=A3 4=A4 5=A5',
  ],
  [
    'partitions that nobody took are as they were last',
    'A1:01 B1:23 A2:01 A3:01 A9:01',
    '1=A1+B1 2=A2+B1 3=A3+B1 9=A9+B1',
  ],
  ['where no time is whole, the last', 'A1:01 B2:12', '2=B2'],
  ['what says nothing is added to nothing', 'A1 B2 A3 B4:01 A5', '1=A1 2=B2 3=A3 4=B4 5=A5'],
  ['of one time, what holds most', 'A1:01 B1:23 B2:23 A2:0123', '1=A1+B1 2=A2'],
];

for (const [why, text, wanted] of cases)
  test(`moments: ${why}`, async () => {
    assert.equal(await moments(text), wanted);
    assert.equal(await moments(text.split(' ').reverse().join(' ')), wanted);
  });

test('moments are thinned out evenly; of each span the last that is whole', async () => {
  const many = Array.from({ length: 1_000 }, (_, at) => `A${at}:0`).join(' ');
  const found = (await moments(many, 5)).split(' ').map((moment) => parseInt(moment, 10));
  assert.deepEqual(found, [0, 250, 500, 749, 999]);
  // A has lost 1 at 8 to B, which says so at 9.
  const moving = `${Array.from({ length: 8 }, (_, at) => `A${at}:01`).join(' ')} A8:0`;
  assert.equal(await moments(moving, 2), '0=A0 7=A7');
  assert.equal(await moments(`${moving} B9:1`, 2), '0=A0 9=A8+B9');
  assert.equal(await moments('A1:0', 2), '1=A1');
});
