import { UsageError } from '../errors.ts';

/** The circumstances of a checkpoint: it is only good where they still hold. */
export interface Identity {
  /** Id of the Kafka cluster. */
  readonly cluster: string;
  /** Partitions of the topic. */
  readonly partitions: number;
  /** Settings that shape the state, as texts by key. */
  readonly settings: Readonly<Record<string, string>>;
  /** The sections of the configuration that a summary of the state needs. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Why the log is not the one that the checkpoint was made from, undefined where it is. */
export function logProblem(saved: Identity, present: Identity): string | undefined {
  if (saved.cluster !== present.cluster)
    return (
      `the checkpoint is of cluster ${saved.cluster}, the brokers are of cluster ${present.cluster}. ` +
      'Use another kafka.group_id or state.dir, or start with --rebuild'
    );
  if (present.partitions < saved.partitions)
    return (
      `the topic has ${present.partitions} partitions, it had ${saved.partitions}: it was recreated. ` +
      'Use another kafka.group_id, or start with --rebuild'
    );
  return undefined;
}

/** Refuses a configuration that would make the state another one: names each key, old and new value, and the remedies. */
export function checkSettings(saved: Identity, present: Identity, name: string): void {
  const keys = [...new Set([...Object.keys(saved.settings), ...Object.keys(present.settings)])];
  const changed = keys.filter((key) => saved.settings[key] !== present.settings[key]);
  if (changed.length === 0) return;
  const lines = changed.map(
    (key) =>
      `  ${key}: the state was made with ${shown(saved.settings[key])}, the configuration says ${shown(present.settings[key])}`,
  );
  throw new UsageError(
    `the checkpoint of ${name} was made with other settings:\n${lines.join('\n')}\n` +
      'Undo the change, use another kafka.group_id, or start once with --rebuild to score the topics again',
  );
}

function shown(value: string | undefined): string {
  return value ?? 'nothing';
}
