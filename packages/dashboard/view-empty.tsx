import type { VNode } from 'preact';
import type { LiveGroup } from '../../src/formats/summary/live-group.ts';
import { numberIn } from './format.ts';
import { Section } from './parts.tsx';
import type { Picture, Shown } from './state.ts';

/** Returns whether nothing was read yet. */
export function hasNoData({ document, isReport }: Picture): boolean {
  return !isReport && (document.records?.read ?? 0) === 0;
}

/** Returns whether a group has calls, and nothing that truth would add. */
export function isTruthless({ headlines }: Pick<LiveGroup, 'headlines'>): boolean {
  const has = (family: RegExp): boolean =>
    Object.entries(headlines).some(([path, of]) => family.test(path) && numberIn(of) !== null);
  return has(/^tool_use\./) && !has(/^(match|decision)\./);
}

const exampleCall = (tool: string): string => `[{"name": "${tool}", "arguments": {"city": "Oslo"}}]`;
const exampleEvent = `{"example_id": "e1", "model": "gpt-4o", "tools": ["get_weather"], "tool_calls": ${exampleCall('get_wether')}}`;
const exampleTruth = `{"example_id": "e1", "label": "tool_call", "expected_tool_calls": ${exampleCall('get_weather')}}`;

/** The page before the first record: records to send, and their address. */
export function NoDataView({ picture: { document } }: Shown): VNode {
  const { service } = document;
  return (
    <Section name="empty" title="No data yet">
      {service?.takes_records === true ? (
        <>
          <p>Send what an agent did. Calls of tools that do not exist are found without any truth:</p>
          {command('events', exampleEvent)}
          <p>With truth, what was expected of an example, right and wrong are known:</p>
          {command('truth', exampleTruth)}
          <p>An agent that is instrumented with OpenTelemetry sends its traces here:</p>
          <pre class="paste code">{`OTEL_EXPORTER_OTLP_ENDPOINT=${location.origin}`}</pre>
        </>
      ) : (
        <p>{`Nothing was read from ${partitionsText(service?.partitions.map(({ name }) => name) ?? [])}. Records that come there are shown within seconds.`}</p>
      )}
    </Section>
  );
}

/** The numbers that truth would add to those that need none. */
export function NoTruthView({ picture: { document, isReport } }: Shown): VNode {
  const { records, service } = document;
  const waiting = (records?.pending ?? 0) > 0 ? ' Events wait for it, and are scored when it comes.' : '';
  return (
    <div class="truthless">
      <p>
        No truth yet: these rates need none. Truth adds calls right, decision accuracy and the rates of hallucination.
        {waiting}
      </p>
      {service?.takes_records === true && command('truth', exampleTruth)}
      {!isReport && service?.takes_records !== true && (
        <p class="quiet">It is read from truth.paths and kafka.truth_topic.</p>
      )}
    </div>
  );
}

function command(path: string, record: string): VNode {
  return <pre class="paste code">{`curl -d '${record}' ${location.origin}/v1/${path}`}</pre>;
}

function partitionsText(names: readonly string[]): string {
  return names.length === 0 ? 'any partition yet' : `${names.slice(0, 8).join(', ')} yet`;
}
