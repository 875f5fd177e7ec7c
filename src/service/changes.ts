import { settingsChange } from '../config/changes.ts';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import type { Changes, Identity } from '../pipeline/identity.ts';
import { settingsOf } from '../config/settings.ts';

/** How states of another configuration go on. */
export const changes: Changes = {
  of: settingsChange,
  settingsOf: (config) => settingsOf(savedConfig(config), undefined),
};

/** Families that a release after the first has added. */
const laterFamilies = ['tool_use'];

/** The configuration that a checkpoint was made with, as far as it shapes the state or a reading of it. */
export function savedConfig(config: Identity['config']): Config {
  return loadConfig({ flags: settingsIn(config) }).config;
}

/** The sections that a summary needs, as settings over the defaults. A family that the program did not have then was not enabled. */
function settingsIn(config: Identity['config']): { path: readonly string[]; value: unknown; place: string }[] {
  const sections = ['time', 'join', 'dedupe', 'slices', 'metrics', 'watches', 'feedback', 'limits'];
  const given = sections.filter((section) => config[section] !== undefined);
  const { metrics = {} } = config as { readonly metrics?: object };
  const later = laterFamilies.filter((family) => !(family in metrics));
  const kafka = (config['kafka'] ?? {}) as Readonly<Record<string, unknown>>;
  const topics = ['judgements_topic', 'feedback_topic'].filter((key) => kafka[key] !== undefined);
  return [
    ...given.map((section) => ({ path: [section], value: config[section], place: 'checkpoint' })),
    ...later.map((family) => ({ path: ['metrics', family, 'enabled'], value: false, place: 'checkpoint' })),
    ...topics.map((key) => ({ path: ['kafka', key], value: kafka[key], place: 'checkpoint' })),
  ];
}
