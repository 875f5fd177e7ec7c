import type { VNode } from 'preact';
import type { CallPair, Failure, FieldPair } from '../../src/formats/summary/failure.ts';
import { saysCalls } from '../../src/formats/summary/failure-facts.ts';
import type { StepCall } from '../../src/formats/summary/run-steps.ts';
import { plural, printable } from './format.ts';
import { Mark, Name } from './parts.tsx';

/** A call that was made, or that is missing, with its result where it is known. */
interface Step {
  readonly pair: CallPair | undefined;
  readonly made: Pick<StepCall, 'name'> & Partial<StepCall>;
  readonly isMade: boolean;
}

/** Differences of a call shown. */
const differencesMax = 4;

/** The calls of an event in order, each with its result and what differs from the expected call. Marks have words, so that no meaning is in colour alone. */
export function Timeline({ of }: { readonly of: Failure }): VNode {
  const { run_steps: run, calls_recorded: isRecorded, more_calls: more } = of;
  const steps = stepsOf(of);
  const label = run === null ? 'Calls' : runText(run);
  if (!isRecorded) return <p class="quiet">The event does not say which calls were made.</p>;
  return (
    <>
      {run !== null && <p class="note">{label}</p>}
      <ol class="timeline" aria-label={`${label}: what was made, and what differs`}>
        {steps.map((step, at) => (
          <StepItem key={at} step={step} hasTruth={saysCalls(of)} />
        ))}
        {(run?.more_calls ?? more) > 0 && <li class="quiet">{plural(run?.more_calls ?? more, 'more call')}</li>}
        {run !== null && <li class="quiet">{run.answered ? 'answer' : 'no answer'}</li>}
      </ol>
    </>
  );
}

function runText({ answers, seconds }: NonNullable<Failure['run_steps']>): string {
  return `Run of ${plural(answers, 'answer')}${seconds === null ? '' : ` in ${secondsText(seconds)}`}`;
}

/** The calls made in order, those that are missing behind the call that was expected before them. */
function stepsOf({ run_steps: run, calls }: Failure): readonly Step[] {
  const pairs = new Map(calls.flatMap((pair) => (pair.actual_at === null ? [] : [[pair.actual_at, pair] as const])));
  const alone = [...pairs].sort(([a], [b]) => a - b).map(([, pair]) => ({ name: pair.actual ?? '' }));
  const places = run === null ? [...pairs.keys()].sort((a, b) => a - b) : run.calls.map((_, at) => at + 1);
  const steps = (run?.calls ?? alone).map((made, at): Step => ({ pair: pairs.get(places[at]!), made, isMade: true }));
  for (const pair of calls.filter(({ actual }) => actual === null)) {
    const before = steps.findLastIndex(
      (step) => (step.pair?.expected_at ?? Number.POSITIVE_INFINITY) < pair.expected_at!,
    );
    steps.splice(before + 1, 0, { pair, made: { name: pair.expected! }, isMade: false });
  }
  return steps;
}

function StepItem({
  step: { pair, made, isMade },
  hasTruth,
}: {
  readonly step: Step;
  readonly hasTruth: boolean;
}): VNode {
  const isExtra = isMade && hasTruth && pair?.expected === null;
  const isOther = isMade && pair?.expected != null && pair.expected !== pair.actual;
  const different = isMade && pair?.expected != null ? pair.fields.filter(({ same }) => !same) : [];
  return (
    <li class={isExtra || isOther || !isMade || different.length > 0 ? 'is-different' : undefined}>
      {!isMade && <Mark sign="−" text="missing" />}
      {isExtra && <Mark sign="+" text="extra" />}
      {isOther && <Mark sign="≠" text="another tool" />}
      <Name text={made.name} kind="name call-name" />
      {!isMade && <span class="quiet"> was not called</span>}
      {isExtra && <span class="quiet"> was not expected</span>}
      {isOther && (
        <span class="quiet">
          {' '}
          instead of <Name text={pair.expected!} />
        </span>
      )}
      {pair?.malformed && <span class="differs"> malformed</span>}
      {resultOf(made)}
      {different.length > 0 && (
        <ul class="differences">
          {different.slice(0, differencesMax).map((field) => (
            <Difference key={field.name} {...field} />
          ))}
          {different.length > differencesMax && (
            <li class="quiet">{plural(different.length - differencesMax, 'more argument')}</li>
          )}
        </ul>
      )}
    </li>
  );
}

/** A field that differs: what was expected, then what came. */
export function Difference({ name, expected, actual }: FieldPair): VNode {
  const value = (text: string | null): VNode =>
    text === null ? <span class="absent">none</span> : <Name text={text} kind="name code" />;
  return (
    <li>
      <Mark sign="≠" text="different" />
      <Name text={name} />: {value(expected)} → <span class="differs">{value(actual)}</span>
    </li>
  );
}

function resultOf({ ok, error }: Step['made']): VNode | undefined {
  if (ok === undefined) return undefined;
  if (ok === null) return <span class="quiet"> no result</span>;
  if (ok) return <span class="quiet"> ✓ ok</span>;
  return (
    <span>
      {' '}
      <span class="differs">✕ failed</span>
      {error != null && (
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
