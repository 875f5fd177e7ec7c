/** Size of an event in the benches. */
export const eventBytes = 900;

/**
 * An event of the demonstration's traffic with what agents send besides and Assay does not read: a trace, usage, and as much of a
 * reasoning text as makes it 0.9 KB.
 */
export function benchEvent(value: string, number: number): string {
  const id = (number * 2654435761).toString(16).padStart(16, '0');
  const trace = {
    trace: { trace_id: id + id, span_id: id, service: 'support-agent', version: '2025.6.1', region: 'eu-west-1' },
    usage: {
      prompt_tokens: 800 + (number % 97),
      completion_tokens: 60 + (number % 31),
      cached_tokens: 512,
      cost: 0.00213,
    },
    latency_ms: 640.5 + (number % 53),
    finish_reason: 'stop',
    reasoning: '',
  };
  const text = value.replace(/}$/, `,${JSON.stringify(trace).slice(1)}`);
  return text.replace(/""}$/, `"${words.slice(0, Math.max(0, eventBytes - Buffer.byteLength(text)))}"}`);
}

const words =
  'The customer asks about an order; the policy says to look it up before anything is promised. The number was given, so the lookup can be made at once. '.repeat(
    8,
  );
