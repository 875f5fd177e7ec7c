import type { VNode } from 'preact';
import { jsonText } from '../../src/formats/json/json-text.ts';
import type { Suspect, SuspectCall } from '../../src/formats/summary/suspect.ts';
import type { Remedy } from '../../src/scoring/match/remedy.ts';
import { plural, printable } from './format.ts';
import { Name } from './parts.tsx';
import type { Shown } from './state.ts';

/** Examples whose truth may be wrong: what it says, what was said instead, and what would admit that. */
export function SuspectsView({ picture: { document } }: Shown): VNode | null {
  const { suspects } = document;
  if (suspects.length === 0) return null;
  return (
    <div class="suspects">
      <p class="note">Several models say the same, or a judge passes it.</p>
      <div class="cards">{suspects.map(suspectCard)}</div>
    </div>
  );
}

function suspectCard(suspect: Suspect): VNode {
  const { example_id: id, expected, said, models, of_models: answered, events, right_models: right, judges } = suspect;
  return (
    <article key={id} class="failure">
      <h4 class="row">
        <Name text={id} kind="name code" />
      </h4>
      <p>
        {models.length} of {plural(answered, 'model')}, {plural(events, 'event')}
        {right > 0 && `; right: ${plural(right, 'model')}`}
      </p>
      <p class="note">
        said by <bdi>{printable(models.join(', '))}</bdi>
        {judges.length > 0 && [', passed by ', <bdi key="judges">{printable(judges.join(', '))}</bdi>]}
      </p>
      <dl class="said">
        <dt>Truth</dt>
        <dd>{expected === null ? <span class="absent">none</span> : callList(expected)}</dd>
        <dt>Said</dt>
        <dd class="differs">{callList(said)}</dd>
      </dl>
      {suspect.remedy !== null && remedyText(suspect.remedy)}
    </article>
  );
}

/** Calls shown of a list, and characters of each. */
const callsMax = 4;
const charactersMax = 300;

function callList(calls: readonly SuspectCall[]): VNode {
  if (calls.length === 0) return <span class="absent">no call</span>;
  const text = ({ name, arguments: given }: SuspectCall): string =>
    printable(`${name ?? '(no name)'} ${jsonText(given)}`);
  return (
    <ul>
      {calls.slice(0, callsMax).map((call, at) => (
        <li key={at}>
          <bdi class="code">{shortened(text(call))}</bdi>
        </li>
      ))}
      {calls.length > callsMax && <li class="quiet">{plural(calls.length - callsMax, 'more call')}</li>}
    </ul>
  );
}

function shortened(text: string): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
}

/** The same JSON, with escapes for what cannot be seen. */
function escaped(json: string): string {
  return json.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** As it stands in a row of truth: to be copied. */
function remedyText(remedy: Remedy): VNode {
  const parts =
    'accept' in remedy
      ? remedy.accept.map(({ expected_call: call, rules }) => ({
          to: `If that is right, call ${call + 1} of expected_tool_calls lacks`,
          text: `"accept": ${jsonText(rules)}`,
        }))
      : [{ to: 'If that is right, alternatives of the row lack', text: jsonText(remedy.alternatives) }];
  return (
    <>
      {parts.map(({ to, text }) => (
        <div key={to}>
          <p class="note">{to}</p>
          <pre class="paste">{escaped(text)}</pre>
        </div>
      ))}
    </>
  );
}
