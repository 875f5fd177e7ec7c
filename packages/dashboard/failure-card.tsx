import type { ComponentChildren, VNode } from 'preact';
import type { CallPair, Failure, FieldPair } from '../../src/formats/summary/failure.ts';
import { faultKind, kindsOf } from '../../src/formats/summary/failure-facts.ts';
import { dateAndTime, plural, printable, timeOfDay } from './format.ts';
import { Mark, Name } from './parts.tsx';
import { Difference, Timeline } from './timeline.tsx';
import { TraceLink } from './trace-link.tsx';
import { labelText } from './view-detail.tsx';

interface FailureCardProps {
  readonly of: Failure;
  /** All arguments are shown from the beginning. */
  readonly isOpen?: boolean;
}

/** One event: what is wrong with it, its calls with what differs, and on demand all arguments, expected beside actual. */
export function FailureCard({ of, isOpen }: FailureCardProps): VNode {
  const { example_id: exampleId, gold, predicted, faults, error, answer, calls, link } = of;
  const different = (answer ?? []).filter(({ same }) => !same);
  return (
    <article class="failure">
      {cardHead(of)}
      {gold !== null && predicted !== null && gold !== predicted && decisionLine(gold, predicted)}
      {faults.length > 0 && faultList(faults)}
      {error !== null && (
        <p class="error">
          Error: <bdi>{printable(error)}</bdi>
        </p>
      )}
      <Timeline of={of} />
      {different.length > 0 && (
        <ul class="differences">
          {different.slice(0, 4).map((field) => (
            <Difference key={field.name} {...field} />
          ))}
        </ul>
      )}
      {(calls.length > 0 || answer !== null) && (
        <details class="note" open={isOpen}>
          <summary>expected beside actual</summary>
          {calls.length > 0 && callsTable(of)}
          {answer !== null && pairsTable('Answer', <tbody>{answer.map((field) => fieldRow(field))}</tbody>)}
        </details>
      )}
      <p class="ids quiet">
        task <Name text={exampleId} kind="name code" />
        {link !== null && (
          <>
            {' · '}
            <TraceLink to={link}>trace</TraceLink>
          </>
        )}
      </p>
    </article>
  );
}

function cardHead(of: Failure): VNode {
  const { ts, run, slice } = of;
  const dimensions = Object.entries(slice).filter(([, value]) => value !== '');
  return (
    <>
      <h3 class="row">
        {dimensions.map(([dimension, value]) => (
          <span key={dimension} class="dimension" title={dimension}>
            <Name text={value} />
          </span>
        ))}
        {run !== null && <span class="note">run {run}</span>}
        <time class="note" datetime={ts} title={dateAndTime(ts)}>
          {timeOfDay(ts)}
        </time>
      </h3>
      <ul class="tags row">
        {kindsOf(of).map((kind) => (
          <li key={kind}>{printable(kind)}</li>
        ))}
      </ul>
    </>
  );
}

/** Key of a failure in a list. */
export function failureKey({ ts, event_id: eventId, example_id: exampleId, run }: Failure): string {
  return `${ts} ${eventId ?? ''} ${exampleId} ${run}`;
}

function faultList(faults: Failure['faults']): VNode {
  return (
    <ul class="faults">
      {faults.map(({ rate, text }, at) => (
        <li key={at}>
          {printable(faultKind(rate))}: <Name text={text} />
        </li>
      ))}
    </ul>
  );
}

function decisionLine(gold: string, predicted: string): VNode {
  const isValid = predicted !== 'invalid';
  return (
    <p>
      Should <strong>{labelText(gold)}</strong>
      {isValid ? ', decided to ' : ', made '}
      <strong class="differs">{isValid ? labelText(predicted) : 'no valid decision'}</strong>
    </p>
  );
}

function callsTable({ calls, more_calls: more }: Failure): VNode {
  return pairsTable('Calls', [
    ...calls.map(callRows),
    more > 0 && <tbody key="rest">{restRow(plural(more, 'more call'))}</tbody>,
  ]);
}

function pairsTable(caption: string, bodies: ComponentChildren): VNode {
  return (
    <table class="pairs-table">
      <caption class="hidden-text">{caption}: expected and actual</caption>
      <thead>
        <tr>
          <th scope="col">{caption}</th>
          <th scope="col">Expected</th>
          <th scope="col">Actual</th>
        </tr>
      </thead>
      {bodies}
    </table>
  );
}

function callRows(pair: CallPair, index: number): VNode {
  const { expected, actual, expected_at: expectedAt, actual_at: actualAt, malformed, fields, more_fields: more } = pair;
  const same = expected === actual && !malformed;
  const isMoved = expectedAt !== null && actualAt !== null && expectedAt !== actualAt;
  const isLonely = expected === null || actual === null;
  return (
    <tbody key={index}>
      <tr>
        <th scope="row">
          {mark(pair, same) ?? <span class="quiet">call</span>}
          {isMoved && <small class="under">{`call ${expectedAt}, made as ${actualAt}`}</small>}
        </th>
        <td>{expected === null ? absent() : <Name text={expected} kind="call-name" />}</td>
        <td class={same ? undefined : 'differs'}>
          {actual === null ? absent() : <Name text={actual} kind="call-name" />}
          {malformed && <small class="under">malformed</small>}
        </td>
      </tr>
      {fields.map((field) => fieldRow(field, isLonely))}
      {more > 0 && restRow(plural(more, 'more argument'))}
    </tbody>
  );
}

/** A lonely field is of a call that has no counterpart: what is wrong is said of the call. */
function fieldRow(field: FieldPair, isLonely = false): VNode {
  const { name, expected, actual } = field;
  const isCalm = field.same || isLonely;
  const value = (text: string | null): VNode | undefined => {
    if (text !== null) return <Name text={text} kind="json code" />;
    return isLonely ? undefined : absent();
  };
  return (
    <tr key={name} class={isCalm ? 'is-same' : undefined}>
      <th scope="row">
        {mark(field, isCalm)}
        <Name text={name} />
      </th>
      <td>{value(expected)}</td>
      <td class={isCalm ? undefined : 'differs'}>{value(actual)}</td>
    </tr>
  );
}

function mark({ expected, actual }: Pick<FieldPair, 'expected' | 'actual'>, same: boolean): VNode | undefined {
  if (same) return undefined;
  if (actual === null) return <Mark sign="−" text="missing" />;
  return expected === null ? <Mark sign="+" text="extra" /> : <Mark sign="≠" text="different" />;
}

function absent(): VNode {
  return <span class="absent">none</span>;
}

function restRow(text: string): VNode {
  return (
    <tr key="rest">
      <td colspan={3} class="quiet">
        {text}
      </td>
    </tr>
  );
}
