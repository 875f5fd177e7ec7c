import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { junitText, type TestSuite } from '../../src/documents/junit.ts';
import { printable } from '../../src/terminal/terminal-text.ts';
import { readJunit } from '../support/junit.ts';
import { runs } from '../support/soak.ts';

const suites: readonly TestSuite[] = [
  {
    name: 'assay.gates.decision',
    cases: [
      { name: 'accuracy>=0.9', failure: { type: 'gate', message: '0.5 < "0.9" & [0.1]', lines: ['a <b>', 'c'] } },
      { name: 'accuracy>0.1', output: '✓ accuracy' },
      { name: 'bare' },
    ],
  },
  { name: 'none', cases: [] },
];

test('suites as XML', () => {
  assert.equal(
    junitText(suites),
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="assay" tests="3" failures="1" errors="0">
  <testsuite name="assay.gates.decision" tests="3" failures="1" errors="0">
    <testcase name="accuracy&gt;=0.9" classname="assay.gates.decision"><failure type="gate" message="0.5 &lt; &quot;0.9&quot; &amp; [0.1]">a &lt;b&gt;
c</failure></testcase>
    <testcase name="accuracy&gt;0.1" classname="assay.gates.decision"><system-out>✓ accuracy</system-out></testcase>
    <testcase name="bare" classname="assay.gates.decision"/>
  </testsuite>
  <testsuite name="none" tests="0" failures="0" errors="0">
  </testsuite>
</testsuites>
`,
  );
  assert.equal(readJunit(junitText(suites)).length, 3);
});

test('the schema refuses another element, a missing name, and counts that are wrong', () => {
  const text = junitText(suites);
  for (const [from, to] of [
    ['<failure', '<fault'],
    ['<testcase name=', '<testcase title='],
    ['tests="3"', 'tests="4"'],
  ] as const) {
    const changed = text.replace(from, to).replace('</failure>', from === '<failure' ? '</fault>' : '</failure>');
    assert.throws(() => readJunit(changed), from);
  }
});

test('any text is XML, and reads back as it is printed', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, text, text, (name, message, line) => {
      const cases = [{ name, failure: { type: 'x', message, lines: [line, 'end'] } }];
      assert.deepEqual(readJunit(junitText([{ name: 'suite', cases }])), [
        {
          suite: 'suite',
          name: printable(name),
          failure: { message: printable(message), text: `${printable(line)}\nend` },
        },
      ]);
    }),
    { numRuns: runs(200) },
  );
});
