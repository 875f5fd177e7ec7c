import type { Check } from '../adapters/http/routes.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { jsonText } from '../formats/json/json-text.ts';
import {
  type EventReport,
  type SummaryContext,
  type SummaryDocument,
  summaryDocument,
} from '../formats/summary/summary-document.ts';
import { watchesDocument } from '../formats/summary/incident-document.ts';
import type { Config } from '../config/config.ts';
import { contextOf } from '../documents/context.ts';
import type { Json } from '../scoring/json.ts';
import { mergedSuspects } from './merge-reports.ts';
import { truthOf } from './end-view.ts';
import { createSamples, type Samples } from './samples.ts';
import type { ScorerReport } from './scorer-messages.ts';
import { telemetryOf } from './service-telemetry.ts';
import { shownRows } from './shows-content.ts';
import type { Telemetry } from '../telemetry.ts';
import type { TruthCounts } from '../view/input-report.ts';
import type { Group } from '../view/summary.ts';
import { type Viewed, type Views, viewsOf } from './views.ts';

/** Everything that a server shows: the states of partitions at their newest checkpoints, and what their scorers report. */
export interface ReadModel extends Viewed {
  readonly config: Config;
  /** The last report of each scorer; none where states alone are read. */
  readonly reports: Map<number, ReceivedReport>;
  readonly samples: Samples;
  /** Outages of the server's own at present. */
  readonly outages: Set<string>;
  readonly views: Views;
  readiness(): readonly Check[];
}

/** A report of a scorer, and when it was heard, on the clock of `performance.now()`. */
export interface ReceivedReport extends ScorerReport {
  readonly heardMs: number;
}

export interface ReadModelOptions {
  readonly config: Config;
  readonly writesSnapshots: boolean;
  readonly readiness: (model: ReadModel) => readonly Check[];
}

/** A read model that holds no partition yet. */
export function createReadModel({ config, writesSnapshots, readiness }: ReadModelOptions): ReadModel {
  const held = {
    config,
    states: new Map(),
    telemetry: telemetryOf(config, writesSnapshots),
    reports: new Map(),
    samples: createSamples(config.http.samples),
    lastRecordMs: systemClock.monotonicMs(),
    outages: new Set<string>(),
  };
  const model: ReadModel = Object.assign(held, { views: viewsOf(config, held), readiness: () => readiness(model) });
  return model;
}

/** The report on single events in a summary, with hidden values hidden. */
export function eventReportOf({ reports, samples }: ReadModel): EventReport {
  return {
    failures: samples.latest,
    suspects: mergedSuspects([...reports.values()].flatMap(({ suspects }) => suspects)),
    wrongArguments: samples.wrongArguments(),
  };
}

/** The truth that the numbers rest on; before there are any, the truth in use. */
export function shownTruth({ states, telemetry: { truth } }: ReadModel): SummaryContext['truth'] {
  const { version, rows } = truth;
  return truthOf([...states.values()].map(({ state }) => state)) ?? (version === undefined ? null : { version, rows });
}

/** The counts of truth and feedback that are known. */
export function truthCounts({ truth: { findings, unmatched } }: Telemetry): TruthCounts {
  return { findings, unmatched: unmatched?.size };
}

/** The summary with the groups for which `isShown` holds; the whole one without it. */
export function documentOf(model: ReadModel, isShown: (group: Group) => boolean = () => true): SummaryDocument {
  const { config, states, telemetry, views } = model;
  const context = contextOf(
    config,
    shownTruth(model),
    [...states.keys()],
    telemetry.input.firsts,
    truthCounts(telemetry),
  );
  const { view } = views.all();
  return summaryDocument({ ...view, groups: view.groups.filter(isShown) }, context, eventReportOf(model));
}

/** The summary as JSON text: the groups of one set of dimensions (joined by comma) and one window. */
export function summaryText(model: ReadModel, slice: string, window: string): string {
  const isOfSlice = (group: Group): boolean => group.dimensions.join() === slice && group.window === window;
  const { groups, watches, incidents, input, ...rest } = documentOf(model, isOfSlice);
  const isShown = (group: { readonly slice: Readonly<Record<string, string>> }): boolean =>
    Object.keys(group.slice).join() === slice;
  const shown = {
    input: shownRows(input, model.config),
    groups,
    watches: watches.filter(isShown),
    incidents: incidents.filter(isShown),
  };
  return jsonText({ ...rest, ...shown } as unknown as Json);
}

/** The watches of all groups as JSON text. */
export function watchesText({ views, samples }: ReadModel): string {
  return jsonText(watchesDocument(views.watches(), samples.latest) as Json);
}
