import { type Event, tagOf } from '../../stream/event.ts';

const placeholder = /\{([^{}]*)\}/g;

/** The names that a template of links may have, besides `tags.<name>`. */
export const linkFields = ['event_id', 'example_id', 'model', 'agent', 'run', 'ts'] as const;

/** Names in braces of a template, in their order. */
export function namesIn(template: string): string[] {
  return [...template.matchAll(placeholder)].map(([, name]) => name!);
}

/** The tags that a template names. */
export function tagsOfTemplate(template: string | undefined): string[] {
  const names = template === undefined ? [] : namesIn(template);
  return names.filter((name) => name.startsWith('tags.')).map((name) => name.slice('tags.'.length));
}

/** The address of an event by a template, at its resolved time in ms; null where there is none, or where the event lacks a value that it names. */
export function traceLink(template: string | undefined, event: Event, tsMs: number): string | null {
  if (template === undefined) return null;
  const { eventId, exampleId, model, agent, run } = event;
  const values: Readonly<Record<(typeof linkFields)[number], string>> = {
    event_id: eventId ?? '',
    example_id: exampleId,
    model,
    agent,
    run: run === undefined ? '' : String(run),
    ts: new Date(tsMs).toISOString(),
  };
  const textOf = (name: string): string =>
    name.startsWith('tags.') ? tagOf(event, name.slice('tags.'.length)) : values[name as keyof typeof values];
  if (namesIn(template).some((name) => textOf(name) === '')) return null;
  return template.replace(placeholder, (_, name: string) => encodeURIComponent(textOf(name)));
}
