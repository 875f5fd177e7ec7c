import type { VNode } from 'preact';
import type { WrongArgument, WrongExample } from '../../src/formats/summary/wrong-arguments.ts';
import { argumentErrors } from '../../src/scoring/match/kinds.ts';
import { count, dateAndTime } from './format.ts';
import { Name, Row, Scroll, Section } from './parts.tsx';
import { TraceLink } from './trace-link.tsx';

const errorTitles = {
  missing_argument: 'Missing',
  unexpected_argument: 'Unexpected',
  wrong_type: 'Wrong type',
  wrong_value: 'Wrong value',
} as const;

/** Which arguments of which tool are wrong by the rules of the truth, how, and some real ones: who is wrong, agent or truth, one sees at once. */
export function WrongArgumentsView({ wrong }: { readonly wrong: readonly WrongArgument[] }): VNode {
  return (
    <Section level={4} name="wrong" title="Arguments that do not match" note="by the rules of the truth, all time">
      <Scroll label="Table: arguments that do not match">
        <table>
          <caption class="hidden-text">
            Arguments that do not match: how often and how, with the latest examples
          </caption>
          <thead>
            <tr>
              <th scope="col">Argument</th>
              {argumentErrors.map((error) => (
                <th key={error} scope="col" class="number">
                  {errorTitles[error]}
                </th>
              ))}
              <th scope="col">Expected, and what came</th>
            </tr>
          </thead>
          <tbody>{wrong.map(argumentRow)}</tbody>
        </table>
      </Scroll>
    </Section>
  );
}

function argumentRow({ tool, path, counts, examples }: WrongArgument): VNode {
  const ofTool = ['of ', <Name key={tool} text={tool} />];
  return (
    <Row key={JSON.stringify([tool, path])} head={<Name text={path} />} under={ofTool}>
      {argumentErrors.map((error) => (
        <td
          key={error}
          class={counts[error] === 0 ? 'number quiet' : 'number'}
          data-path={`match.arguments.${tool}.${path}.${error}`}
          data-value={String(counts[error])}
        >
          {count(counts[error])}
        </td>
      ))}
      <td>
        <ul class="examples">{examples.map(exampleItem)}</ul>
      </td>
    </Row>
  );
}

function exampleItem({ example_id: id, ts, link, expected, actual, rule }: WrongExample): VNode {
  const value = (text: string | null): VNode =>
    text === null ? <span class="absent">none</span> : <Name text={text} kind="json code" />;
  const task = <Name text={id} kind="name code" />;
  return (
    <li key={`${id} ${ts}`} class="row">
      <span>
        {value(expected)} → <span class="differs">{value(actual)}</span>
      </span>
      {rule !== null && (
        <span class="note">
          rule <Name text={rule} kind="json code" />
        </span>
      )}
      <span class="note" title={dateAndTime(ts)}>
        {link === null ? task : <TraceLink to={link}>{task}</TraceLink>}
      </span>
    </li>
  );
}
