import type { ComponentChildren, VNode } from 'preact';
import type { CallPair, Failure, FieldPair } from '../../src/formats/summary/failure.ts';
import type { Shown as LiveShown } from '../../src/formats/summary/live-document.ts';
import { dateAndTime, plural, printable, timeOfDay } from './format.ts';
import { Action, Name, Section } from './parts.tsx';
import { titleInSentence } from './metric-about.ts';
import { RunTimeline } from './run-timeline.tsx';
import { nameOf, type Shown } from './state.ts';
import { TraceLink } from './trace-link.tsx';
import { labelText } from './view-detail.tsx';

/** Failures shown before one asks for all. */
const shownMax = 6;

/** The latest failed predictions, what was expected beside what was done. */
export function FailuresView({ picture, choices: { showFailures } }: Shown): VNode | null {
  const { failures, isReport, focus, total } = picture;
  const failed = picture.document.shown?.failed;
  if (isReport) return null;
  const shown = showFailures ? failures : failures.slice(0, shownMax);
  const of = focus?.id === total?.id ? 'of all traffic' : `of ${nameOf(focus!)}`;
  return (
    <Section name="failures" title="Latest failures" note={of}>
      {failed && (
        <p class="quiet">
          {failedText(failed)} <Action action="all-failures">Show all</Action>
        </p>
      )}
      {shown.length === 0 && <p class="quiet">None since the start, or they are not shown (http.samples).</p>}
      <div class="cards">{shown.map(failureCard)}</div>
      {failures.length > shownMax && (
        <Action action="show-failures" aria-expanded={showFailures}>
          {showFailures ? `Show the latest ${shownMax} only` : `Show all ${failures.length}`}
        </Action>
      )}
    </Section>
  );
}

/** `Bad cases of tool hallucination from 14:00:10 to 14:05:00.` */
function failedText({ watch, since, until }: NonNullable<LiveShown['failed']>): string {
  const to = until === null ? 'on' : `to ${timeOfDay(until)}`;
  return `Bad cases of ${titleInSentence(watch)} from ${timeOfDay(since)} ${to}.`;
}

const hallucinationTexts: Readonly<Record<string, string>> = {
  tool: 'tool hallucination',
  param: 'parameter hallucination',
  answer: 'answer hallucination',
  unknown_tool: 'unknown tool',
};

const faultTexts: Readonly<Record<string, string>> = {
  unknown_tool: 'invented tool',
  malformed: 'malformed call',
  invalid_arguments: 'invalid arguments',
  failed: 'failed',
  unanswered: 'no result of',
  not_recovered: 'answered behind the error of',
  loops: 'loop of',
};

function faultList(faults: Failure['faults']): VNode {
  return (
    <ul class="faults">
      {faults.map(({ rate, text }, at) => (
        <li key={at}>
          {faultTexts[rate] ?? printable(rate)} <Name text={text} />
        </li>
      ))}
    </ul>
  );
}

/** One event: its decision, what is wrong with it, and expected calls beside those made. */
export function failureCard(failure: Failure): VNode {
  const { ts, event_id: eventId, example_id: exampleId, run, gold, predicted, hallucinations, faults, error } = failure;
  const { answer } = failure;
  const dimensions = Object.entries(failure.slice).filter(([, value]) => value !== '');
  return (
    <article key={`${ts} ${eventId ?? ''} ${exampleId} ${run}`} class="failure">
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
      {gold !== null && predicted !== null && decisionLine(gold, predicted)}
      {hallucinations.length > 0 && (
        <ul class="tags row">
          {hallucinations.map((kind) => (
            <li key={kind}>{hallucinationTexts[kind] ?? printable(kind)}</li>
          ))}
        </ul>
      )}
      {faults.length > 0 && faultList(faults)}
      {error !== null && (
        <p class="error">
          Error: <bdi>{printable(error)}</bdi>
        </p>
      )}
      {failure.run_steps !== null && <RunTimeline of={failure.run_steps} />}
      {callsTable(failure)}
      {answer !== null && pairsTable('Answer', <tbody>{answer.map((field) => fieldRow(field))}</tbody>)}
      <p class="ids quiet">
        task <Name text={exampleId} kind="name code" />
        {failure.link !== null && (
          <>
            {' · '}
            <TraceLink to={failure.link}>trace</TraceLink>
          </>
        )}
      </p>
    </article>
  );
}

function decisionLine(gold: string, predicted: string): VNode {
  const right = <strong>{labelText(gold)}</strong>;
  if (gold === predicted) return <p>Decided rightly: {right}</p>;
  const isValid = predicted !== 'invalid';
  return (
    <p>
      Should {right}
      {isValid ? ', decided to ' : ', made '}
      <strong class="differs">{isValid ? labelText(predicted) : 'no valid decision'}</strong>
    </p>
  );
}

function callsTable({ calls, calls_recorded: recorded, more_calls: more }: Failure): VNode | undefined {
  if (!recorded) return <p class="quiet">The event does not say which calls were made.</p>;
  if (calls.length === 0) return undefined;
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
          {mark(pair, same)}
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

/** Differences are shown by a sign and in words, not by colour alone. */
function mark({ expected, actual }: Pick<FieldPair, 'expected' | 'actual'>, same: boolean): VNode | undefined {
  if (same) return undefined;
  const [sign, text] = actual === null ? ['−', 'missing'] : expected === null ? ['+', 'extra'] : ['≠', 'different'];
  return (
    <span class="mark">
      {sign}
      <span class="hidden-text">{text}: </span>
    </span>
  );
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
