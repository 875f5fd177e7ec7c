import { groupReading } from '../../src/service/group-states.ts';
import { createHearing } from '../../src/service/hear-scorer.ts';
import { keepsNothing } from './keeps-nothing.ts';
import { createReadModel, type ReadModel } from '../../src/service/read-model.ts';
import { createScorer, type Scorer, type ScorerOptions } from '../../src/service/scorer.ts';
import { createReporter, sizeOf } from '../../src/service/scorer-messages.ts';

/** A scorer that keeps nothing, in the thread of the read model that shows it. */
export interface LocalScorer {
  readonly scorer: Scorer;
  readonly model: ReadModel;
  /** Takes checkpoints of what changed, and shows all that was scored before the call. */
  show(): Promise<void>;
}

/** A scorer of a source, and its read model. */
export function localScorer(
  options: Pick<ScorerOptions, 'config' | 'source' | 'log' | 'deep' | 'signal'>,
): LocalScorer {
  const { config, log } = options;
  const model = createReadModel({ config, writesSnapshots: false, readiness: () => scorer.readiness() });
  const hearing = createHearing(model, groupReading(config, undefined), log);
  const reporter = createReporter((message) => {
    const own = message.kind === 'report' ? structuredClone(message) : message;
    void hearing.hear(1, own).then(() => reporter.heard(sizeOf(own)));
  });
  const scorer = createScorer({
    ...{ ...options, ...keepsNothing, outages: new Set<string>() },
    checkpoints: reporter.reported(keepsNothing.checkpoints),
  });
  return {
    ...{ scorer, model },
    async show() {
      await scorer.pipeline.checkpointAll();
      await hearing.settled();
      reporter.report(scorer, true);
    },
  };
}
