import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const style = readFileSync('packages/dashboard/style-theme.css', 'utf8');

/** Custom properties of each block, in order: light, dark. */
const blocks = [...style.matchAll(/\{([^{}]*--paper[^{}]*)\}/g)].map(
  ([, body]) =>
    new Map([...body!.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name!, value!.trim()])),
);

type Colour = readonly [red: number, green: number, blue: number];

function colour(text: string): Colour {
  const digits = /^#([0-9a-f]{6})$/i.exec(text)?.[1];
  assert.ok(digits, `${text} is no colour of six digits`);
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Colour;
}

/** WCAG 2.2, relative luminance. */
function luminance(of: Colour): number {
  const [red, green, blue] = of.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(a: Colour, b: Colour): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

function mixed(a: Colour, b: Colour, share: number): Colour {
  return a.map((value, at) => share * value + (1 - share) * b[at]!) as unknown as Colour;
}

test('there is a light theme and a dark one, of the same colours', () => {
  assert.equal(blocks.length, 2);
  assert.deepEqual([...blocks[0]!.keys()], [...blocks[1]!.keys()]);
});

for (const [theme, values] of [['light', blocks[0]!] as const, ['dark', blocks[1]!] as const]) {
  const of = (name: string): Colour => colour(values.get(name)!);
  test(`${theme}: text can be read on every ground (4.5 to 1), lines and edges seen (3 to 1)`, () => {
    const grounds = ['paper', 'raised', 'focus-soft'];
    for (const ground of grounds)
      for (const text of ['ink', 'quiet', 'focus', 'alarm'])
        assert.ok(contrast(of(text), of(ground)) >= 4.5, `${text} on ${ground}: ${contrast(of(text), of(ground))}`);
    for (const text of ['ink', 'quiet', 'alarm'])
      assert.ok(
        contrast(of(text), of('alarm-soft')) >= 4.5,
        `${text} on alarm-soft: ${contrast(of(text), of('alarm-soft'))}`,
      );
    assert.ok(contrast(of('edge'), of('paper')) >= 3, 'edge');
    // The deepest cell of the confusion matrix: 36 % of its colour.
    for (const tone of ['focus', 'alarm'])
      assert.ok(contrast(of('ink'), mixed(of(tone), of('paper'), 0.36)) >= 4.5, `ink on ${tone}`);
  });
  test(`${theme}: what is in focus and what is wrong stand out from the other lines`, () => {
    const others = of('line-other');
    for (const line of ['focus', 'alarm']) {
      assert.ok(contrast(of(line), of('paper')) > 1.8 * contrast(others, of('paper')), line);
    }
  });
}
