import { UsageError } from '../errors.ts';
import type { Migration } from '../state/migrate.ts';
import type { Settings } from '../state/settings.ts';

/** The circumstances of a checkpoint: it is only good where they still hold. */
export interface Identity {
  /** Id of the Kafka cluster. */
  readonly cluster: string;
  /** Partitions of the topic. */
  readonly partitions: number;
  /** Absent where the brokers have no ids of topics. */
  readonly topicId?: string;
  /** Settings that shape the state, as texts by key. */
  readonly settings: Readonly<Record<string, string>>;
  /** The sections of the configuration that a summary of the state needs. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Returns the reason why the log is not the one of the checkpoint; undefined where it is the same. */
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
  if (saved.topicId !== undefined && present.topicId !== undefined && saved.topicId !== present.topicId)
    return (
      `the topic was recreated: its id is ${present.topicId}, what was counted is of ${saved.topicId}. ` +
      'Use another kafka.group_id, or start with --rebuild'
    );
  return undefined;
}

/** How states go on under other settings. */
export interface Changes {
  /** Keys that a state cannot go on with, and families that begin anew. */
  of(
    saved: Identity['settings'],
    present: Identity['settings'],
  ): { readonly refused: readonly string[]; readonly anew: ReadonlySet<string> };
  /** The settings that a state was made with. */
  settingsOf(config: Identity['config']): Settings;
}

/**
 * The fate of a state that was made under other settings; undefined where they are the same. Refuses a configuration that would mix two
 * meanings in one number: names each key, old and new value, and the remedies.
 */
export function migrationOf(
  saved: Identity,
  present: Identity,
  { changes, settings, name }: { readonly changes: Changes; readonly settings: Settings; readonly name: string },
): Migration | undefined {
  const keys = [...Object.keys(saved.settings), ...Object.keys(present.settings)];
  if (keys.every((key) => saved.settings[key] === present.settings[key])) return undefined;
  const { refused, anew } = changes.of(saved.settings, present.settings);
  if (refused.length === 0) return { before: changes.settingsOf(saved.config), after: settings, anew };
  const lines = refused.map(
    (key) =>
      `  ${key}: the state was made with ${saved.settings[key] ?? 'nothing'}, the configuration says ${present.settings[key] ?? 'nothing'}`,
  );
  throw new UsageError(
    `the checkpoint of ${name} was made with other settings:\n${lines.join('\n')}\n` +
      'Numbers of both would not add up. Undo the change, use another kafka.group_id, or start once with --rebuild to score the topics again',
  );
}
