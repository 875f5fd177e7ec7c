import { getOrPut } from '../../state/containers/get-or-put.ts';
import { partitionName, type ScoreRows, type TopicPartition } from '../../ports.ts';
import type { Scored } from '../../stream/score.ts';
import type { Chosen } from './chosen.ts';
import type { Judging, JudgementRecord } from './judging.ts';

export interface JudgeSinkOptions {
  readonly choose: (scored: Scored) => Chosen | undefined;
  readonly judging: Judging;
  /** Number of judgements that a chosen prediction gets. */
  readonly judges: (chosen: Chosen) => number;
  readonly produce: (partition: TopicPartition, chosen: Chosen, records: readonly JudgementRecord[]) => Promise<void>;
  /** Chosen predictions held; beyond, the records of Kafka wait. */
  readonly most: number;
}

/** The receiver of the engine's scored events, in place of score rows: chosen ones are judged before a checkpoint is saved behind them. */
export interface JudgeSink extends ScoreRows {
  /** Chosen predictions that are not judged yet. */
  waiting(): number;
  /** Resolves when nothing is being asked any more. */
  settled(): Promise<void>;
}

/** A chosen prediction on its way: begun anew where it failed, until its judgements are written. */
interface Work {
  /** Its judgements are written, or its partition is gone. */
  ended: boolean;
  run(): Promise<void>;
}

/** A sink that has chosen predictions judged. */
export function judgeSink(options: JudgeSinkOptions): JudgeSink {
  const held = new Map<string, Set<Work>>();
  const under = new Set<Promise<void>>();
  const all = (): Work[] => [...held.values()].flatMap((works) => [...works]);
  const add: ScoreRows['add'] = (partition, scored) => {
    const chosen = options.choose(scored);
    if (chosen === undefined || options.judges(chosen) === 0) return;
    const works = getOrPut(held, partitionName(partition), () => new Set<Work>());
    const work = workOn(options, partition, chosen, under, () => works.delete(work));
    works.add(work);
    // The waiting caller receives a failure, and begins it anew.
    work.run().catch(() => undefined);
  };
  return {
    of: 'all',
    waiting: () => all().length,
    settled: async () => void (await Promise.allSettled([...under])),
    add(partition, scored) {
      // One that is accepted waits for its truth.
      if (scored.moment !== 'accepted') add(partition, scored);
    },
    addWithoutTruth: add,
    isFull: () => all().length >= options.most,
    async spill() {
      const works = all();
      // Some room is enough.
      if (works.length > 0) await Promise.any(works.map((work) => work.run()));
    },
    isDue: () => false,
    endSegment(partition) {
      const works = [...(held.get(partitionName(partition)) ?? [])];
      const write = async (): Promise<void> => {
        await Promise.all(works.filter((work) => !work.ended).map((work) => work.run()));
      };
      return { note: undefined, write };
    },
    accepted: () => undefined,
    publish: () => undefined,
    async begin() {
      // Those past the checkpoint come again.
    },
    drop(partition) {
      const name = partitionName(partition);
      for (const work of held.get(name) ?? []) work.ended = true;
      held.delete(name);
    },
  };
}

function workOn(
  { judging, judges, produce }: JudgeSinkOptions,
  partition: TopicPartition,
  chosen: Chosen,
  under: Set<Promise<void>>,
  onEnd: () => void,
): Work {
  let running: Promise<void> | undefined;
  const attempt = async (): Promise<void> => {
    if (work.ended) return;
    const records = await judging(chosen);
    if (records.length < judges(chosen)) throw new Error('the judging was stopped before all questions were asked');
    await produce(partition, chosen, records);
    work.ended = true;
    onEnd();
  };
  const work: Work = {
    ended: false,
    run() {
      if (running !== undefined) return running;
      const begun = attempt().finally(() => {
        under.delete(begun);
        running = undefined;
      });
      running = begun;
      under.add(begun);
      return begun;
    },
  };
  return work;
}
