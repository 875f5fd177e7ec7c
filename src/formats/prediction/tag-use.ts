import { isObject } from '../../scoring/json.ts';
import { type Event, tagOf } from '../../stream/event.ts';

/** Use of the tags that slices name, by the events of a reader. */
export interface TagUse {
  events: number;
  /** Tags that no event had. */
  readonly unseen: Set<string>;
  /** Tags of the first event that has any. */
  there: readonly string[];
}

/** Use of tags before any event. */
export function tagUse(names: readonly string[]): TagUse {
  return { events: 0, unseen: new Set(names), there: [] };
}

/** Notes the tags of an event. */
export function noteTags(use: TagUse, event: Event): void {
  use.events++;
  for (const name of use.unseen) if (tagOf(event, name) !== '') use.unseen.delete(name);
  const { tags } = event.given;
  if (use.there.length === 0 && isObject(tags)) use.there = Object.keys(tags).slice(0, shownMax);
}

const shownMax = 8;

/** Notices of the tags that slices name and no event has. */
export function unseenTags({ events, unseen, there }: TagUse): string[] {
  if (events === 0) return [];
  const known = there.length === 0 ? 'they have no tags' : `they have ${there.map((tag) => `tags.${tag}`).join(', ')}`;
  return [...unseen].map((name) => `slices by tags.${name}: none of ${events} events has this tag; ${known}`);
}
