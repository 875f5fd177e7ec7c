import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { type TestKafka, withKafka } from '../support/kafka.ts';
import { withPython } from '../support/python.ts';
import { runToEnd, stateSummary } from '../support/service.ts';
import { soak } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { sceneOf } from '../support/scene.ts';

const packages = ['duckdb==2.0.1', 'pyarrow==26.0.1', 'polars==2.1.0', 'pandas==3.1.1'];

// The environment is only made where it is used.
if (soak) withKafka('score rows as Parquet', queries);
else test('queries of score rows', { skip: 'npm run test:soak' });

function queries(kafka: () => TestKafka): void {
  withPython(
    'read by DuckDB, Polars and pandas',
    (python) => {
      test('every query of the reference answers, over every scored event', async (context) => {
        const snapshots = temporaryFolder(context);
        const more = { snapshots: { dir: snapshots, format: 'parquet', scores: 'all' } };
        const { config, state, topic, traffic } = await sceneOf(context, kafka(), 3_000, { partitions: 3, more });
        await kafka().produce(topic, traffic.records);
        await runToEnd(config);
        const { scored } = (await stateSummary(state)).records;
        const page = resolve('docs', 'reference', 'queries.md');
        type Answer = { readonly sql: readonly number[]; readonly scored: number; readonly pandas: number };
        const answer = await python<Answer>('run_queries.py', { page, folder: snapshots });
        assert.equal(answer.scored, scored);
        assert.equal(answer.pandas, scored);
        // The first statement sets a variable.
        assert.ok(
          answer.sql.slice(1).every((rows) => rows > 0),
          String(answer.sql),
        );
      });
    },
    packages,
  );
}
