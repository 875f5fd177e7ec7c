import { dimensionLabel } from '../state/dimension.ts';
import { declarations } from '../scoring/families.ts';
import { isNamed, pointPlan } from '../view/metric-points.ts';
import { nearest } from '../view/near.ts';
import { trajectoryProblem } from '../scoring/trajectory/index.ts';
import { existsSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Config } from './config.ts';
import { outcomesMax } from './feedback.ts';
import { durationText } from './duration.ts';
import { readTokens } from './ingest.ts';
import { hasLogInside, refusalsWithoutBrokers } from './log-inside.ts';
import { registryTls, tlsOptions } from './kafka-tls.ts';
import type { Finding } from './problems.ts';
import { watchFindings } from './watch-checks.ts';
import { readWebConfig } from './web-config.ts';

/** Contradictions between keys. Empty for a configuration that works. */
export function contradictions(config: Config): readonly Finding[] {
  return [
    ...topicFindings(config),
    ...windowFindings(config),
    ...sliceFindings(config),
    ...outcomeFindings(config),
    ...weightFindings(config),
    ...loginFindings(config),
    ...storeFindings(config),
    ...watchFindings(config),
    ...metricFindings(config),
    ...markFindings(config),
    ...ingestFindings(config),
  ];
}

/** Refused records are appended to files; a bucket has none. */
function storeFindings({ state, snapshots, kafka }: Config): readonly Finding[] {
  const nameless = Object.entries({ state, snapshots }).filter(([, { dir = '' }]) => /^s3:\/\/(\/|$)/.test(dir));
  if (nameless.length > 0)
    return nameless.map(([key]) => ({ path: [key, 'dir'], phrase: 'names no bucket; write s3://bucket/prefix' }));
  if (!state.dir.startsWith('s3://') || kafka.dead_letter_topic !== undefined || hasLogInside({ kafka })) return [];
  return [{ path: ['state', 'dir'], phrase: 'is an object store: refused records need a kafka.dead_letter_topic' }];
}

function ingestFindings({ ingest, kafka }: Config): readonly Finding[] {
  if (ingest.to === undefined || kafka.topics.length > 0) return [];
  return [{ path: ['ingest', 'to'], phrase: 'needs a topic; name one in kafka.topics' }];
}

const points = pointPlan(declarations).flatMap(({ family, places }) => places.map(({ name }) => ({ family, name })));

function metricFindings({ http: { metrics } }: Config): Finding[] {
  if (metrics === 'all') return [];
  return metrics.flatMap((listed, index) => {
    if (points.some(({ family, name }) => isNamed(listed, family, name))) return [];
    const near = nearest(listed, [...new Set(points.flatMap(({ family, name }) => [family, name]))]);
    const remedy = near === undefined ? 'docs/reference/metrics.md has the names' : `did you mean ${near}?`;
    return [{ path: ['http', 'metrics', index], phrase: `is no value of the label metric; ${remedy}` }];
  });
}

function markFindings({ page: { marks }, slices }: Config): Finding[] {
  if (marks === undefined || slices.some((set) => set.includes(marks))) return [];
  return [{ path: ['page', 'marks'], phrase: `is in no set of slices; add [${marks}] to slices` }];
}

/** Warnings: accepted values that were probably not meant. */
export function warningsOf(config: Config): readonly string[] {
  const { kafka, metrics, time } = config;
  const warnings: string[] = [];
  const { tool_selection, parameter_accuracy, execution_success, response_quality } = metrics.schema.weights;
  const sum = tool_selection + parameter_accuracy + execution_success + response_quality;
  if (Math.abs(sum - 1) > 1e-9) {
    warnings.push(`metrics.schema.weights: add up to ${sum}, not 1; the overall score is on that scale`);
  }
  for (const { text, ms } of time.windows) {
    const covered = Math.ceil(ms / time.pane.ms) * time.pane.ms;
    if (covered !== ms) {
      warnings.push(
        `time.windows: ${text} is no multiple of time.pane (${time.pane.text}); it covers ${durationText(covered)}`,
      );
    }
  }
  if (kafka.sasl?.mechanism === 'plain' && kafka.ssl === false) {
    warnings.push('kafka.sasl: mechanism plain without kafka.ssl sends the password unencrypted');
  }
  const { url = '', password } = kafka.schema_registry ?? {};
  if (password !== undefined && url.startsWith('http:'))
    warnings.push('kafka.schema_registry: an address without TLS (https) sends the password unencrypted');
  return warnings;
}

/** Reasons of `assay run` to refuse a valid configuration; empty where there are none. */
export function refusalsOfRun(config: Config): readonly string[] {
  const { kafka, truth, metrics } = config;
  const missing = unusableCertificates(config);
  if (kafka.brokers.length === 0) return [...missing, ...refusalsWithoutBrokers(config)];
  missing.push(...missingTopics(config));
  if (truth.paths.length === 0 && kafka.truth_topic === undefined && !metrics.tool_use.enabled) {
    missing.push(
      'truth.paths: is empty, there is no kafka.truth_topic, and metrics.tool_use is off; name a truth table, such as [truth.arrow]',
    );
  }
  return missing;
}

/** Reasons of `assay view` to refuse a valid configuration; empty where there are none. */
export function refusalsOfView(config: Config): readonly string[] {
  return [...unusableCertificates(config), ...(hasLogInside(config) ? [] : missingTopics(config))];
}

function missingTopics({ kafka }: Config): readonly string[] {
  return kafka.topics.length > 0
    ? []
    : ['kafka.topics: is empty; name a topic with predictions, such as [predictions]'];
}

/** Files need not lie on a machine where the configuration is only checked. */
function unusableCertificates({ kafka, http, ingest }: Config): string[] {
  const attempts: readonly (readonly [key: string, use: () => unknown])[] = [
    [
      'kafka.ssl',
      () => typeof kafka.ssl === 'object' && createSecureContext(tlsOptions(kafka.ssl) as SecureContextOptions),
    ],
    ['kafka.schema_registry', () => createSecureContext(registryTls(kafka.schema_registry))],
    ['http.web_config', () => http.web_config !== undefined && readWebConfig(http.web_config)],
    ['ingest.tokens', () => readTokens(ingest.tokens)],
  ];
  return attempts.flatMap(([key, use]) => {
    try {
      use();
      return [];
    } catch (error) {
      return [`${key}: cannot be used: ${(error as Error).message}`];
    }
  });
}

function topicFindings({ kafka }: Config): readonly Finding[] {
  const { topics, truth_topic, feedback_topic, judgements_topic, dead_letter_topic } = kafka;
  const findings: Finding[] = [];
  const twice = firstRepeated(topics);
  if (twice !== undefined)
    findings.push({ path: ['kafka', 'topics'], phrase: `names ${twice} twice; name each topic once` });
  const others = [...topics];
  for (const [key, topic] of Object.entries({ truth_topic, feedback_topic, judgements_topic, dead_letter_topic })) {
    if (topic === undefined) continue;
    if (others.includes(topic)) {
      findings.push({ path: ['kafka', key], phrase: 'is read as another topic too; give it a topic of its own' });
    }
    others.push(topic);
  }
  return findings;
}

function windowFindings({ time }: Config): readonly Finding[] {
  const path = ['time', 'windows'];
  return time.windows.flatMap(({ ms, text }, index) => {
    const before = time.windows[index - 1];
    if (before?.ms !== ms) return [];
    const both = before.text === text ? text : `${before.text} and ${text}, the same length`;
    return [{ path, phrase: `names ${both}${before.text === text ? ' twice' : ''}; name each window once` }];
  });
}

function sliceFindings({ slices }: Config): readonly Finding[] {
  const findings: Finding[] = [];
  for (const [index, set] of slices.entries()) {
    const path = ['slices', index];
    const twice = firstRepeated(set);
    if (twice !== undefined) findings.push({ path, phrase: `names ${twice} twice; name each dimension once` });
    const equal = slices.findIndex((other) => sameMembers(other, set));
    if (equal < index) findings.push({ path, phrase: `is the same set as slices[${equal}]; leave one of them out` });
  }
  const byLabel = new Map<string, string>();
  for (const dimension of new Set(slices.flat())) {
    const label = dimensionLabel(dimension);
    const other = byLabel.get(label);
    if (other !== undefined) {
      findings.push({
        path: ['slices'],
        phrase: `holds ${other} and ${dimension}, which have one label in Prometheus (${label}); rename one of the tags`,
      });
    }
    byLabel.set(label, dimension);
  }
  return findings;
}

function weightFindings({ metrics }: Config): readonly Finding[] {
  const { weights } = metrics.trajectory;
  if (trajectoryProblem({ weights }) === undefined) return [];
  const sum = weights.name + weights.params + weights.order;
  const phrase = `add up to ${sum}, and they are divided by their sum; give others, such as {name: 0.4, params: 0.4, order: 0.2}`;
  return [{ path: ['metrics', 'trajectory', 'weights'], phrase }];
}

/** A text that looks like a path, given for the key of a text. */
const pathText = /^(\.{0,2}\/\S*|\S+\.(pem|crt|cer|key))$/;

/** Each way to say who we are needs its own keys. */
function loginFindings({ kafka }: Config): readonly Finding[] {
  const { sasl, ssl } = kafka;
  const findings: Finding[] = [];
  const needs = (path: readonly string[], phrase: string): void => void findings.push({ path, phrase });
  if (sasl?.mechanism === 'aws-msk-iam') {
    if (sasl.region === undefined) needs(['kafka', 'sasl', 'region'], 'is needed for aws-msk-iam');
    if (ssl === false) needs(['kafka', 'sasl', 'mechanism'], 'needs kafka.ssl: true');
  } else if (sasl?.mechanism === 'oauthbearer') {
    if ((sasl.token_file === undefined) === (sasl.token_url === undefined))
      needs(['kafka', 'sasl', 'mechanism'], 'needs either token_file or token_url');
    for (const name of ['client_id', 'client_secret'] as const)
      if (sasl.token_url !== undefined && sasl[name] === undefined)
        needs(['kafka', 'sasl', 'token_url'], `needs ${name}`);
  } else if (sasl !== undefined) {
    for (const name of ['username', 'password'] as const)
      if (sasl[name] === undefined) needs(['kafka', 'sasl', name], `is needed for ${sasl.mechanism}`);
  }
  const { username, password } = kafka.schema_registry ?? {};
  if ((username === undefined) !== (password === undefined))
    needs(['kafka', 'schema_registry', username === undefined ? 'username' : 'password'], 'is needed for a login');
  for (const name of ['ca', 'cert', 'key'] as const) {
    if (typeof ssl !== 'object' || ssl[name] === undefined) continue;
    if (ssl[`${name}_file`] !== undefined)
      needs(['kafka', 'ssl', `${name}_file`], `says the same as ${name}; leave one of them out`);
    else if (pathText.test(ssl[name]))
      needs(
        ['kafka', 'ssl', name],
        existsSync(ssl[name])
          ? `is a path and no PEM text; name the file with ${name}_file instead`
          : `is a file that is missing; put the file there or correct the path, and name it with ${name}_file (${name} is for PEM text)`,
      );
  }
  return findings;
}

function outcomeFindings({ feedback: { outcomes } }: Config): readonly Finding[] {
  const all = [...outcomes.good, ...outcomes.bad];
  const path = ['feedback', 'outcomes'];
  const twice = firstRepeated(all);
  if (twice !== undefined) return [{ path, phrase: `names ${twice} twice; name each outcome once` }];
  if (all.length <= outcomesMax) return [];
  return [{ path, phrase: `names ${all.length} outcomes; name at most ${outcomesMax}` }];
}

function firstRepeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) < index);
}

function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  const members = new Set(a);
  return members.size === new Set(b).size && b.every((name) => members.has(name));
}
