import { printable } from '../terminal/terminal-text.ts';

/** Test cases under one name. */
export interface TestSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
}

export interface TestCase {
  readonly name: string;
  /** Undefined: it passes. */
  readonly failure?: Failure | undefined;
  /** Lines that a person may want of a case that passes. */
  readonly output?: string;
}

export interface Failure {
  /** A short name for failures of its kind. */
  readonly type: string;
  readonly message: string;
  readonly lines: readonly string[];
}

/**
 * Suites as XML in the form of JUnit that Jenkins, GitLab and others read (schema junit-10.xsd of Jenkins' xUnit plugin). Characters that XML
 * cannot hold are shown as a middle dot.
 */
export function junitText(suites: readonly TestSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="assay" ${countsOf(all)}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite name="${escaped(name)}" ${countsOf(cases)}>`,
      ...cases.map((one) => caseText(name, one)),
      '  </testsuite>',
    ]),
    '</testsuites>\n',
  ].join('\n');
}

function countsOf(cases: readonly TestCase[]): string {
  return `tests="${cases.length}" failures="${cases.filter(({ failure }) => failure).length}" errors="0"`;
}

function caseText(suite: string, { name, failure, output }: TestCase): string {
  const attributes = `name="${escaped(name)}" classname="${escaped(suite)}"`;
  if (failure === undefined && output === undefined) return `    <testcase ${attributes}/>`;
  const content =
    failure === undefined
      ? `<system-out>${escaped(output!)}</system-out>`
      : `<failure type="${escaped(failure.type)}" message="${escaped(failure.message)}">${failure.lines.map(escaped).join('\n')}</failure>`;
  return `    <testcase ${attributes}>${content}</testcase>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A line of text as the content of an element or attribute. */
function escaped(text: string): string {
  return printable(text).replace(/[&<>"]/g, (character) => entities[character]!);
}
