import type { VNode } from 'preact';
import { headlines, type LiveGroup } from '../../src/formats/summary/live-group.ts';
import type { Headline } from '../../src/scoring/families.ts';
import { count, numberIn, plural, sinceText, windowText } from './format.ts';
import { Action, Name, ReadingCell, Scroll, Section, Sparkline } from './parts.tsx';
import { firstColumn, nameOf, type Picture, type Shown } from './state.ts';

/** Groups shown before one asks for all. */
const shownMax = 8;

/** The table of groups, the worst first. */
export function GroupsView({ picture, choices, sorted }: Shown): VNode | null {
  const { slice, window, groups, document, firing } = picture;
  if (slice === '' || groups.length === 0) return null;
  const columns = headlines.filter(({ path }) => groups.some((group) => numberIn(group.headlines[path]) !== null));
  const shown = choices.showAll || choices.filter !== '' ? sorted : sorted.slice(0, shownMax);
  const sort = choices.sort ?? firstColumn(picture);
  const course = courseOf(picture, sort);
  const note = `${windowText(window)}, ${plural(groups.length, 'group')}${orderText(sort, firing.paths.size > 0)}`;
  return (
    <Section name="groups" title={`Groups by ${slice.replaceAll(',', ' and ')}`} note={note}>
      {groups.length > shownMax && (
        <label class="field quiet">
          Filter
          <input type="search" data-action="filter" value={choices.filter} placeholder="name" autocomplete="off" />
        </label>
      )}
      <Scroll label={`Table: by ${slice}`}>
        <table class="group-table">
          <caption class="hidden-text">
            {`Rates by ${slice}, ${windowText(window)}. Choose a name to see the whole page of it.`}
          </caption>
          <thead>{headRow(picture, columns, sort, course)}</thead>
          <tbody>{shown.map((group) => groupRow(picture, group, columns, course))}</tbody>
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

function headRow(
  { window, groups }: Picture,
  columns: readonly Headline[],
  sort: string,
  course: Headline | undefined,
): VNode {
  return (
    <tr>
      {sortHead('name', 'Name', 'Sorts by name.', sort, 'first')}
      {sortHead('n', 'Decisions', 'Decisions scored. Sorts by it, the most first.', sort)}
      {columns.map(({ path, column, help, allOnly }) => {
        // The same for all groups of a set.
        const begun = groups[0] && sinceText(groups[0], path);
        const title = allOnly && window !== 'all' ? `${column}, all time` : column;
        return sortHead(path, title, `${help} Sorts by it, the worst first.`, sort, 'number', begun);
      })}
      {course !== undefined && (
        <th scope="col" class="spark-cell">
          {course.column} over time
        </th>
      )}
    </tr>
  );
}

/** A title that sorts by its column; once more turns the order around. */
function sortHead(path: string, title: string, help: string, sort: string, kind = 'number', under?: string): VNode {
  const order = sort === path || sort === `-${path}` ? orderOf(path, sort !== path) : undefined;
  return (
    <th key={path} scope="col" class={kind} aria-sort={order}>
      <Action action="sort" id={sort === path ? `-${path}` : path} class="sort" title={help}>
        {title}
      </Action>
      {under !== undefined && <small class="under">{under}</small>}
    </th>
  );
}

/** The order of a column's numbers: the worst first, the most decisions first, names from A. */
function orderOf(path: string, isReversed: boolean): 'ascending' | 'descending' {
  const better = headlines.find((headline) => headline.path === path)?.better;
  const isAscending = path === 'name' || better === 'higher';
  return isAscending !== isReversed ? 'ascending' : 'descending';
}

function orderText(sort: string, isFiring: boolean): string {
  if (/^-?(name|n)$/.test(sort)) return '';
  if (sort.startsWith('-')) return ', the best first';
  return `, ${isFiring ? 'those with alarms, then ' : ''}the worst first`;
}

/** The metric whose course over time stands beside the numbers: that of the column that sorts, else the first that has one. */
function courseOf({ history, total }: Picture, sort: string): Headline | undefined {
  const known = headlines.filter(({ path }) => history?.groups.get(total?.id ?? '')?.has(path));
  return known.find(({ path }) => path === sort.replace(/^-/, '')) ?? known[0];
}

function groupRow(
  { focus, firing, history }: Picture,
  group: LiveGroup,
  columns: readonly Headline[],
  course: Headline | undefined,
): VNode {
  const isFocus = group.id === focus?.id;
  const worse = firing.paths.get(group.id);
  const name = nameOf(group);
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
      {course !== undefined && (
        <td class="spark-cell">
          <Sparkline
            values={history!.groups.get(group.id)?.get(course.path)}
            better={course.better}
            label={`${course.title} of ${name}, over time`}
          />
        </td>
      )}
    </tr>
  );
}
