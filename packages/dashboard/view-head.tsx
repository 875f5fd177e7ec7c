import type { VNode } from 'preact';
import { dateAndTime, duration, plural, timeOfDay, zoneOf } from './format.ts';
import { Action, Name } from './parts.tsx';
import type { Picture, Shown } from './state.ts';

/** The head of the page: its subject, its age, and the choices. */
export function HeadView(shown: Shown): VNode {
  const { picture, choices } = shown;
  const { document, isReport } = picture;
  const windows = windowsOf(picture);
  return (
    <>
      <header class="top row">
        <div class="row">
          <h1>{isReport ? 'Assay report' : 'Assay'}</h1>
          <p class="quiet slogan">How often agents decide rightly, call the right tools, and hallucinate.</p>
        </div>
        {isReport ? reportStatus(shown) : liveStatus(shown)}
      </header>
      <nav class="choices row" aria-label="What is shown">
        {document.sets.length > 0 && chooser('slice', 'By', document.sets, choices.slice ?? picture.slice)}
        {windows.length > 1 && chooser('window', 'Window', windows, choices.window ?? picture.window)}
        <div class="tools">
          {!isReport && (
            <Action action="pause" aria-pressed={choices.paused}>
              {choices.paused ? 'Resume' : 'Pause'}
            </Action>
          )}
          <Action action="theme">Theme: {choices.theme}</Action>
        </div>
      </nav>
    </>
  );
}

function liveStatus({ picture: { document }, choices: { paused }, connection: { ok, problem } }: Shown): VNode {
  const { at, as_of: asOf } = document;
  return (
    <p class="status">
      <strong class={ok && !paused ? 'dot is-live' : 'dot'}>{paused ? 'Paused' : ok ? 'Live' : 'No answer'}</strong>
      {ok ? ' at ' : ' since '}
      <time datetime={at} title={dateAndTime(at)}>
        {timeOfDay(at)}
      </time>{' '}
      {zoneOf(at)}
      {!ok && !paused && <span class="problem"> {problem}. Trying again.</span>}
      {asOf !== null && behindText(asOf, at)}
    </p>
  );
}

/** How far event time lies behind the wall clock; it may lie ahead of it. */
function behindText(asOf: string, at: string): string {
  const behind = Date.parse(at) - Date.parse(asOf);
  return behind < 2000 ? '' : `, event time ${duration(behind)} behind`;
}

function reportStatus({ picture: { document } }: Shown): VNode {
  const { as_of: asOf, truth, version, mode } = document;
  return (
    <p class="status">
      {asOf === null ? 'Nothing was read' : 'As of '}
      {asOf !== null && <time datetime={asOf}>{`${dateAndTime(asOf)} ${zoneOf(asOf)}`}</time>}
      {truth !== null && `, truth of ${plural(truth.rows, 'row')} `}
      {truth !== null && <Name text={truth.version.slice(0, 12)} kind="name code" />}
      {`, Assay ${version}, mode ${mode}`}
    </p>
  );
}

/** Windows that have groups: the shortest first, `all` last. */
function windowsOf({ document, isReport }: Picture): readonly string[] {
  const used = new Set(document.groups.map(({ window }) => window));
  const [all, ...windows] = document.windows;
  return [...windows, all!].filter((window) => !isReport || used.has(window));
}

function chooser(name: string, legend: string, options: readonly string[], chosen: string): VNode {
  return (
    <fieldset class="chooser">
      <legend>{legend}</legend>
      {options.map((value) => (
        <label key={value} class="choice">
          <input type="radio" name={name} value={value} data-action={name} checked={value === chosen} />
          <span>{value}</span>
        </label>
      ))}
    </fieldset>
  );
}
