import type { Scored } from '../../stream/score.ts';

const placeholder = /\{([^{}]*)\}/g;

/** What a template of links may name, besides `tags.<name>`. */
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

/** The address of an event by a template; null where there is none, or where the event has not all that it names. */
export function traceLink(
  template: string | undefined,
  { batch, event, ts }: Pick<Scored['accepted'], 'batch' | 'event' | 'ts'>,
): string | null {
  if (template === undefined) return null;
  const run = batch.run[event]!;
  const values: Readonly<Record<(typeof linkFields)[number], string>> = {
    event_id: batch.eventId(event) ?? '',
    example_id: batch.exampleId(event),
    model: batch.names.text(batch.model[event]!),
    agent: batch.names.text(batch.agent[event]!),
    run: run < 0 ? '' : String(run),
    ts: new Date(ts).toISOString(),
  };
  const textOf = (name: string): string =>
    name.startsWith('tags.') ? batch.tag(event, name.slice('tags.'.length)) : values[name as keyof typeof values];
  if (namesIn(template).some((name) => textOf(name) === '')) return null;
  return template.replace(placeholder, (_, name: string) => encodeURIComponent(textOf(name)));
}
