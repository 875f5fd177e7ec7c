import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profileNames, profileOptions } from '../../../src/scoring/match/profiles.ts';
import { match } from '../../../src/scoring/match/index.ts';
import type { Call } from '../../../src/scoring/prediction.ts';
import { joined } from '../../support/joined.ts';
import { call, matchDefaults, matchRow } from '../../support/match.ts';
import { isPerfect } from '../../support/scoring.ts';

const types = {
  anyOf: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null },
  list: { type: ['integer', 'null'] },
  nullable: { type: 'INTEGER', nullable: true },
  default: { type: 'integer', default: null },
  ref: { $ref: '#/$defs/N' },
  plain: { type: 'integer' },
  silent: { description: 'any value' },
  required: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
};
const $defs = { N: { type: ['integer', 'null'] } };
const tools = [{ name: 'f', parameters: { type: 'object', properties: types, required: ['required'], $defs } }];

/** Arguments that null may stand for when they are absent, by setting. */
const absent: Readonly<Record<string, readonly string[]>> = {
  auto: ['anyOf', 'list', 'nullable', 'default', 'ref'],
  true: ['anyOf', 'list', 'nullable', 'default', 'ref', 'plain', 'silent', 'unknown'],
  // A default that is null is a default.
  false: ['anyOf', 'default'],
};

test('null is the absence of an argument that is not required, where the schema or the setting says so', () => {
  for (const nullIsAbsent of ['auto', true, false] as const)
    for (const name of [...Object.keys(types), 'unknown']) {
      const equal = absent[String(nullIsAbsent)]!.includes(name);
      const [given, lacking] = [call('f', { [name]: null }), call('f')];
      for (const [predicted, expected] of [
        [given, lacking],
        [lacking, given],
      ] as const) {
        const row = matchRow([predicted], { expected: [expected], tools }, { nullIsAbsent });
        assert.equal(row.correct, equal, `${nullIsAbsent} ${name} ${JSON.stringify(expected)}`);
        const own = joined({ calls: [predicted], tools }, { expected: [expected] });
        assert.equal(isPerfect(match({ ...matchDefaults, nullIsAbsent }), own), equal, `tools of the event: ${name}`);
      }
      const other = matchRow([call('f', { [name]: 3 })], { expected: [given], tools }, { nullIsAbsent });
      assert.equal(other.correct, false, 'null is no other value');
    }
});

test('without a schema null is absent where the setting is true; deeper, null is a value', () => {
  const [given, lacking] = [call('f', { x: null }), call('f')];
  for (const [nullIsAbsent, equal] of [
    ['auto', false],
    [true, true],
    [false, false],
  ] as const)
    assert.equal(matchRow([given], { expected: [lacking] }, { nullIsAbsent }).correct, equal);
  const deep = matchRow([call('f', { x: { y: null } })], { expected: [call('f', { x: {} })] }, { nullIsAbsent: true });
  assert.equal(deep.correct, false);
});

test('in a profile null is a value, but what the profile itself says of it', () => {
  const options = (name: (typeof profileNames)[number]) => profileOptions(name, { arguments: 'exact', overrides: {} });
  for (const name of profileNames) assert.equal(options(name).nullIsAbsent, undefined, name);
});

test('bfcl takes an answer with a call that it cannot parse for none, where no call is expected', () => {
  const malformed: Call = { name: 'f', arguments: undefined };
  const profile = { ...profileOptions('bfcl', { arguments: 'exact', overrides: {} }), forbidden: [] };
  for (const [calls, expected, bfcl, plain] of [
    [[malformed], [], true, false],
    [[call('f'), malformed], [], true, false],
    [[call('f')], [], false, false],
    [[], [], true, true],
    [[malformed], [call('f')], false, false],
  ] as const) {
    assert.equal(matchRow(calls, { expected }, profile).correct, bfcl);
    assert.equal(matchRow(calls, { expected }).correct, plain);
  }
});
