import type { Mode } from '../scoring/family.ts';
import type { CountLimit } from './limits.ts';
import type { Duration, Instant } from './duration.ts';

/** The effective configuration: every key of the YAML file under its own name, defaults filled in (spec: cli). */
export interface Config {
  readonly kafka: KafkaConfig;
  readonly truth: { readonly paths: readonly string[]; readonly watch: boolean };
  readonly time: TimeConfig;
  readonly join: { readonly truth_wait: Duration };
  readonly dedupe: { readonly window: Duration };
  /** Sets of dimensions: `model`, `agent`, `tags.<name>`. The total is not among them. */
  readonly slices: readonly (readonly string[])[];
  readonly metrics: MetricsConfig;
  readonly state: { readonly dir: string; readonly checkpoint_every: Duration };
  readonly snapshots: SnapshotsConfig;
  readonly http: HttpConfig;
  readonly limits: LimitsConfig;
  readonly log: LogConfig;
  readonly grace: Duration;
}

export interface KafkaConfig {
  readonly brokers: readonly string[];
  readonly client_id: string;
  readonly group_id: string;
  readonly topics: readonly string[];
  readonly truth_topic?: string | undefined;
  readonly dead_letter_topic?: string | undefined;
  readonly from: 'earliest' | 'latest' | Instant;
  readonly on_gap: 'refuse' | 'skip';
  readonly session_timeout: Duration;
  /** PEM texts, not paths. */
  readonly ssl: boolean | SslConfig;
  readonly sasl?: SaslConfig | undefined;
}

export interface SslConfig {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly passphrase?: string | undefined;
  readonly server_name?: string | undefined;
}

export interface SaslConfig {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

export interface TimeConfig {
  readonly pane: Duration;
  readonly out_of_orderness: Duration;
  readonly max_future: Duration;
  readonly idle_after: Duration;
  /** Distinct, ascending; the text is the window's name in every output. */
  readonly windows: readonly Duration[];
}

/** `mode` of a family is `metrics.mode` unless the family has its own. */
export interface MetricsConfig {
  readonly mode: Mode;
  readonly decision: FamilyConfig & { readonly invalid_as: 'wrong' | 'cannot_answer' };
  readonly stability: FamilyConfig & StabilityConfig;
  readonly tool_calls: FamilyConfig & { readonly threshold: number };
  readonly trajectory: FamilyConfig & TrajectoryConfig;
  readonly schema: FamilyConfig & { readonly weights: SchemaWeights; readonly deep: boolean };
  readonly arguments: FamilyConfig & { readonly empty_leaves: boolean };
  readonly structured: FamilyConfig & { readonly empty_leaves: boolean };
  readonly semantic: { readonly enabled: boolean };
  readonly judge: { readonly enabled: boolean };
  /** Confidence level of the intervals, in (0, 1). */
  readonly interval: number;
}

interface FamilyConfig {
  readonly enabled: boolean;
  readonly mode: Mode;
}

interface StabilityConfig {
  readonly k: number;
  readonly form: 'closed' | 'rolling';
  readonly keep: Duration;
}

interface TrajectoryConfig {
  /** As written, of any scale; their sum is not 0. */
  readonly weights: { readonly name: number; readonly params: number; readonly order: number };
  readonly param_threshold: number;
  readonly order_threshold: number;
  readonly min_combination_count: number;
}

interface SchemaWeights {
  readonly tool_selection: number;
  readonly parameter_accuracy: number;
  readonly execution_success: number;
  readonly response_quality: number;
}

export interface SnapshotsConfig {
  readonly dir: string;
  readonly every: Duration;
  readonly keep: Duration;
  readonly scores: 'failures' | 'all' | 'none';
}

export interface HttpConfig {
  readonly host: string;
  readonly port: number;
  readonly samples: number;
  readonly redact: readonly string[];
  /** Undefined: loopback names on a loopback address, else any. */
  readonly allowed_hosts?: readonly string[] | undefined;
}

export type LimitsConfig = Readonly<Record<CountLimit, number>> & { readonly truth_load: Duration };

export interface LogConfig {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** `auto`: where stderr is a terminal. */
  readonly pretty: boolean | 'auto';
}
