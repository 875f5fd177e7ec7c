import type { VNode } from 'preact';
import type { Judged, JudgePair } from '../../src/formats/summary/judged.ts';
import { count, percent } from './format.ts';
import { exact, Name, ReadingCell, Row, Scroll, Section, Table } from './parts.tsx';

/** The judgements of a sample by models and people, and the estimate for all traffic. */
export function JudgedView({ judged }: { readonly judged: readonly Judged[] }): VNode {
  const pairs = judged.flatMap(({ name, path, pairs: of }) => of.map((pair) => ({ name, path, pair })));
  return (
    <Section level={4} name="judged" title="Judged" note="a sample; what passes, and success, stand for all traffic">
      {table(
        'Judgements',
        ['Judgement', 'Judged', 'Failed', 'Passes', 'Agrees with the rules', 'Kappa', 'Success, corrected', 'Cost, $'],
        judged.map(judgedRow),
      )}
      {pairs.length > 0 &&
        table(
          'Two judges of the same events, all time',
          ['Two judges', 'Judged', 'Agreement', 'Kappa'],
          pairs.map(({ name, path, pair }) => pairRow(name, path, pair)),
        )}
    </Section>
  );
}

function table(caption: string, titles: readonly string[], rows: readonly VNode[]): VNode {
  return (
    <Scroll label={`Table: ${caption}`}>
      <Table caption={caption} isCaptionHidden titles={titles}>
        {rows}
      </Table>
    </Scroll>
  );
}

function judgedRow({ name, path, n, failed, pass, corrected, agreement, kappa, usd }: Judged): VNode {
  return (
    <Row key={path} head={<Name text={name} />}>
      {numberCell(`${path}.n`, n, count(n))}
      {numberCell(`${path}.failed`, failed, count(failed))}
      <ReadingCell path={`${path}.traffic.pass`} of={pass} />
      <ReadingCell path={`${path}.agreement`} of={agreement} />
      {numberCell(`${path}.kappa`, kappa, percent(kappa))}
      <ReadingCell path={`${path}.corrected`} of={corrected} />
      {numberCell(`${path}.cost`, usd, usd.toFixed(2))}
    </Row>
  );
}

function pairRow(name: string, path: string, { judges, n, agreement, kappa }: JudgePair): VNode {
  const at = `${path}.judges.${judges.join('.')}`;
  const of = ['of ', <Name key={name} text={name} />];
  return (
    <Row key={at} head={<Name text={judges.join(' · ')} />} under={of}>
      {numberCell(`${at}.n`, n, count(n))}
      <ReadingCell path={`${at}.agreement`} of={agreement} />
      {numberCell(`${at}.kappa`, kappa, percent(kappa))}
    </Row>
  );
}

function numberCell(path: string, of: number | null, text: string): VNode {
  return (
    <td key={path} class={of === 0 ? 'number quiet' : 'number'} {...exact(path, of ?? undefined)}>
      {text}
    </td>
  );
}
