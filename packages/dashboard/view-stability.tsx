import type { ComponentProps, VNode } from 'preact';
import { type StabilityBlock, stabilityMetrics } from '../../src/scoring/stability/read.ts';
import { count, interval, percent, readingTitle } from './format.ts';
import { exact, Pairs, Section } from './parts.tsx';

const measures = ['mode_correct', 'mean_accuracy', 'mean_consistency', 'flip_rate', 'entropy_norm'] as const;

/** Returns whether the agent decides the same again, over the runs of one task. */
export function StabilityView(stability: StabilityBlock): VNode {
  const { k, groups_complete: complete, groups_seen: seen } = stability;
  const pairs = measures.map((key) => {
    const { title, help } = stabilityMetrics[key];
    const of = stability[key];
    return { path: `stability.${key}`, title, help, of, text: percent(of.value) };
  });
  return (
    <Section level={4} name="stability" title="Does it decide the same again?" note="all time">
      <p class="quiet">
        {count(complete)} of {count(seen)} tasks have all {k} runs.
      </p>
      {complete > 0 && (
        <>
          <PartsBar {...stability} />
          <Pairs caption="Stability in numbers" pairs={[...pairs, ...passPairs(stability)]} />
        </>
      )}
    </Section>
  );
}

function PartsBar({ stable_correct: right, stable_wrong: wrong, stability }: StabilityBlock): VNode {
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
    <>
      <div class="parts-bar" aria-hidden="true">
        {parts.map(({ kind, share }) => (
          <span key={kind} class={kind} style={{ '--share': share.toFixed(4) }} />
        ))}
      </div>
      <ul class="parts-key row">
        {parts.map(({ kind, text, share, path, of }) => (
          <li key={kind} class={kind} title={readingTitle(of)}>
            <strong {...(path && exact(path, of))}>{percent(share)}</strong>
            {of && <small class="note"> {interval(of)}</small>} {text}
          </li>
        ))}
      </ul>
    </>
  );
}

/** pass^j: the chance that j runs of a task all succeed. */
function passPairs({ pass_hat_k: pass }: StabilityBlock): ComponentProps<typeof Pairs>['pairs'] {
  return Object.entries(pass)
    .filter(([, { value }]) => value !== null)
    .map(([runs, of]) => ({
      path: `stability.pass_hat_k.${runs}`,
      title: runs === '1' ? 'One run succeeds' : `All of ${runs} runs succeed`,
      help: `pass^${runs}`,
      of,
      text: percent(of.value),
    }));
}
