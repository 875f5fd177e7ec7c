import type { VNode } from 'preact';
import { headlines, type LiveGroup } from '../../src/formats/summary/live-group.ts';
import type { Headline } from '../../src/scoring/families.ts';
import { count, numberIn, plural, sinceText, windowText } from './format.ts';
import { Action, Name, ReadingCell, Scroll, Section, Sparkline } from './parts.tsx';
import { nameOf, type Picture, type Shown } from './state.ts';

/** Groups shown before one asks for all. */
const shownMax = 12;

/** The table of groups, the worst first. */
export function GroupsView({ picture, choices, sorted }: Shown): VNode | null {
  const { slice, window, groups, document, firing } = picture;
  if (slice === '' || groups.length === 0) return null;
  const columns = headlines.filter(({ path }) => groups.some((group) => numberIn(group.headlines[path]) !== null));
  const shown = choices.showAll || choices.filter !== '' ? sorted : sorted.slice(0, shownMax);
  const note = `${windowText(window)}, ${plural(groups.length, 'group')}, ${firing.paths.size > 0 ? 'those with alarms, then ' : ''}the worst first`;
  return (
    <Section name="groups" title={titleOf(slice)} note={note}>
      {groups.length > shownMax && (
        <label class="field quiet">
          Filter
          <input type="search" data-action="filter" value={choices.filter} placeholder="name" autocomplete="off" />
        </label>
      )}
      <Scroll label={`Table: by ${slice}`}>
        <table class="group-table">
          <caption class="hidden-text">
            {`Rates by ${slice}, ${windowText(window)}. Choose a name to see its details below.`}
          </caption>
          <thead>{headRow(picture, columns, choices.sort)}</thead>
          <tbody>{shown.map((group) => groupRow(picture, group, columns))}</tbody>
        </table>
      </Scroll>
      {shown.length === 0 && <p class="quiet">No name holds this text.</p>}
      {sorted.length > shownMax && choices.filter === '' && (
        <Action action="show-all" aria-expanded={choices.showAll}>
          {choices.showAll ? `Show the worst ${shownMax} only` : `Show all ${sorted.length}`}
        </Action>
      )}
      {document.groups_left_out > 0 && (
        <p class="quiet">
          {plural(document.groups_left_out, 'group')} with fewer predictions are left out; the summary has them.
        </p>
      )}
    </Section>
  );
}

function titleOf(slice: string): string {
  return slice === 'model' ? 'Models' : slice === 'agent' ? 'Agents' : `By ${slice.replaceAll(',', ' and ')}`;
}

function headRow({ history, window, groups }: Picture, columns: readonly Headline[], sort: string): VNode {
  return (
    <tr>
      <th scope="col" class="first">
        Name
      </th>
      <th scope="col" class="number">
        Decisions
      </th>
      {columns.map(({ path, column, help, better, allOnly }) => {
        const order = better === 'higher' ? 'ascending' : 'descending';
        // The same for all groups of a set.
        const begun = groups[0] && sinceText(groups[0], path);
        return (
          <th key={path} scope="col" class="number" aria-sort={path === sort ? order : undefined}>
            <Action action="sort" id={path} class="sort" title={`${help} Sorts by it, the worst first.`}>
              {column}
            </Action>
            {allOnly && window !== 'all' && <small class="under">all time</small>}
            {begun !== undefined && <small class="under">{begun}</small>}
          </th>
        );
      })}
      {history !== undefined && (
        <th scope="col" class="spark-cell">
          Accuracy over time
        </th>
      )}
    </tr>
  );
}

function groupRow({ focus, firing, history }: Picture, group: LiveGroup, columns: readonly Headline[]): VNode {
  const isFocus = group.id === focus?.id;
  const worse = firing.paths.get(group.id);
  const name = nameOf(group);
  const accuracy = history?.groups.get(group.id)?.get('decision.accuracy');
  return (
    <tr key={group.id} class={[isFocus && 'is-focus', worse && 'fires'].filter(Boolean).join(' ') || undefined}>
      <th scope="row" class="first">
        <Action action="focus" id={group.id} class="link" aria-pressed={isFocus}>
          <Name text={name} />
        </Action>
      </th>
      <td class="number">{count(group.n)}</td>
      {columns.map(({ path }) => (
        <ReadingCell key={path} path={path} of={group.headlines[path]} isAlarm={worse?.has(path) ?? false} />
      ))}
      {history !== undefined && (
        <td class="spark-cell">
          <Sparkline values={accuracy} better="higher" label={`Accuracy of ${name}, over time`} />
        </td>
      )}
    </tr>
  );
}
