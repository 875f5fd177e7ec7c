import type { VNode } from 'preact';
import type { Mean, Rate } from '../../src/scoring/reading.ts';
import { count, interval, numberIn, percent, type Reading, readingTitle, score } from './format.ts';
import { Block, exact, Pairs } from './parts.tsx';

interface Stability {
  readonly k: number;
  readonly groups_seen: number;
  readonly groups_complete: number;
  readonly stable_correct: Rate;
  readonly stable_wrong: Rate;
  readonly stability: Rate;
  readonly pass_hat_k: Readonly<Record<string, Mean>>;
}

const measures = [
  { key: 'mode_correct', title: 'Most frequent decision right', meaning: 'of the tasks', form: percent },
  { key: 'mean_accuracy', title: 'Mean accuracy', meaning: 'of the runs of a task', form: percent },
  { key: 'mean_consistency', title: 'Mean consistency', meaning: 'share of the most frequent decision', form: percent },
  { key: 'flip_rate', title: 'Flips', meaning: 'the next run decides otherwise', form: percent },
  { key: 'entropy_norm', title: 'Entropy', meaning: '0 always alike, 1 evenly mixed', form: score },
];

/** Whether the agent decides the same again, over the runs of one task. */
export function StabilityView({ block }: { readonly block: Readonly<Record<string, unknown>> }): VNode {
  const stability = block as unknown as Stability;
  const { k, groups_complete: complete, groups_seen: seen } = stability;
  const pairs = measures.map(({ key, title, meaning, form }) => {
    const of = block[key] as Reading | undefined;
    return { path: `stability.${key}`, title, meaning, of, text: form(numberIn(of)) };
  });
  return (
    <Block name="stability" title="Does it decide the same again?" note="all time">
      <p class="quiet">
        {count(complete)} of {count(seen)} tasks have all {k} runs.
      </p>
      {complete > 0 && (
        <>
          <PartsBar {...stability} />
          <Pairs pairs={pairs} />
          <PassTable {...stability} />
        </>
      )}
    </Block>
  );
}

function PartsBar({ stable_correct: right, stable_wrong: wrong, stability }: Stability): VNode {
  const parts = [
    { kind: 'is-right', text: 'always right', share: right.value ?? 0, path: 'stability.stable_correct', of: right },
    {
      kind: 'is-wrong',
      text: 'always the same, wrong',
      share: wrong.value ?? 0,
      path: 'stability.stable_wrong',
      of: wrong,
    },
    { kind: 'is-mixed', text: 'differs', share: 1 - (stability.value ?? 0) },
  ];
  return (
    <div class="parts">
      <div class="parts-bar" aria-hidden="true">
        {parts.map(({ kind, share }) => (
          <span key={kind} class={kind} style={{ '--share': share.toFixed(4) }} />
        ))}
      </div>
      <ul class="parts-key row">
        {parts.map(({ kind, text, share, path, of }) => (
          <li key={kind} class={kind} title={readingTitle(of)}>
            <strong {...(path && exact(path, of))}>{percent(share)}</strong>
            {of && <small class="quiet"> {interval(of)}</small>} {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** pass^j: the chance that j runs of a task all succeed. */
function PassTable({ pass_hat_k: pass }: Stability): VNode | null {
  const runs = Object.entries(pass).filter(([, { value }]) => value !== null);
  if (runs.length === 0) return null;
  const columns = runs.map(([j]) => (
    <th key={j} scope="col" class="number">
      {j}
    </th>
  ));
  const cells = runs.map(([j, mean]) => (
    <td
      key={j}
      class="number"
      style={{ '--share': mean.value!.toFixed(3) }}
      {...exact(`stability.pass_hat_k.${j}`, mean)}
    >
      {score(mean.value)}
    </td>
  ));
  return (
    <table class="pass">
      <caption class="note">All of so many runs succeed (pass^k)</caption>
      <thead>
        <tr>{columns}</tr>
      </thead>
      <tbody>
        <tr>{cells}</tr>
      </tbody>
    </table>
  );
}
