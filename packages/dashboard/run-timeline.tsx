import type { VNode } from 'preact';
import type { RunSteps, StepCall } from '../../src/formats/summary/run-steps.ts';
import { plural, printable } from './format.ts';
import { Name } from './parts.tsx';

/** The steps of a run in order: each call with its result, and the end. Marks have words, so that no meaning is in colour alone. */
export function RunTimeline({ of }: { readonly of: RunSteps }): VNode {
  const { answers, seconds, calls, more_calls: more, answered } = of;
  const label = `Run of ${plural(answers, 'answer')}${seconds === null ? '' : ` in ${secondsText(seconds)}`}`;
  return (
    <>
      <p class="note">{label}</p>
      <ol class="timeline" aria-label={`${label}: its steps`}>
        {calls.map((call, at) => (
          <li key={at}>
            <Name text={call.name} />
            {resultOf(call)}
          </li>
        ))}
        {more > 0 && <li>{plural(more, 'more call')}</li>}
        <li>{answered ? 'answer' : 'no answer'}</li>
      </ol>
    </>
  );
}

function resultOf({ ok, error }: StepCall): VNode {
  if (ok === null) return <span class="quiet"> no result</span>;
  if (ok) return <span class="quiet"> ✓ ok</span>;
  return (
    <span>
      {' '}
      <span class="differs">✕ failed</span>
      {error !== null && (
        <>
          : <bdi>{printable(error)}</bdi>
        </>
      )}
    </span>
  );
}

function secondsText(seconds: number): string {
  return `${seconds < 10 ? Math.round(10 * seconds) / 10 : Math.round(seconds)} s`;
}
