import * as z from 'zod';
import { arrowSchema } from '../../../src/formats/arrow/schema.ts';
import { describeArrow } from './arrow-description.ts';
import { rowsKey } from '../../../src/formats/arrow/file.ts';
import { aggregateColumns, lakeColumns } from '../../../src/formats/snapshot/aggregates.ts';
import { scoreColumnsOf } from '../../../src/formats/snapshot/scores.ts';
import { declarations } from '../../../src/scoring/families.ts';
import { feedbackSchema } from '../../../src/formats/feedback/record.ts';
import { judgementSchema } from '../../../src/formats/judgement/schema.ts';
import { eventSchema } from '../../../src/formats/prediction/schema.ts';
import { truthRecordSchema } from '../../../src/formats/truth/record.ts';
import { truthMetadata } from '../../../src/formats/truth/builder.ts';
import { truthColumns } from '../../../src/formats/truth/columns.ts';
import { configJsonSchema } from '../../../src/config/json-schema.ts';
import { openApiDocument } from './openapi.ts';
import { scoreRowSchema } from './score-row.ts';
import { summarySchema } from './summary.ts';

const judgement = z
  .union([judgementSchema, z.array(judgementSchema).min(1)])
  .describe('Value of a record of judgements: one judgement, or an array of them.');

/** Value of a Kafka record, or a line. */
const prediction = z
  .union([eventSchema, z.array(eventSchema).min(1)])
  .describe('Value of a record of predictions: one event, or an array of them.');

/** A generated file, by its path from the project's folder. */
interface SchemaFile {
  readonly path: string;
  readonly text: string;
}

/** JSON Schemas (draft 7) of what goes in and comes out as JSON, and descriptions of the Arrow files: equal sources give equal bytes. */
export function schemaFiles(): SchemaFile[] {
  return [
    jsonFile('config.schema.json', configJsonSchema()),
    schemaFile('prediction', 'Predictions of Assay', prediction),
    schemaFile('judgement', 'Judgements of Assay', judgement),
    schemaFile('feedback', 'Feedback of Assay', feedbackSchema),
    schemaFile('truth-record', 'Truth records of Assay', truthRecordSchema),
    schemaFile('summary', 'Summary of Assay', summarySchema(declarations)),
    schemaFile('score-row', 'Score rows of Assay', scoreRowSchema(declarations)),
    jsonFile('openapi.json', openApiDocument()),
    jsonFile('truth.arrow.json', {
      title: 'Truth table, as `assay truth build` writes it; other writers may use other text and list types',
      metadata: Object.values(truthMetadata),
      columns: describeArrow(arrowSchema(truthColumns)),
    }),
    jsonFile('aggregates.arrow.json', {
      title: 'Snapshot of aggregates, with a column for each dimension of the configured sets (here the default ones)',
      metadata: [rowsKey],
      columns: describeArrow(arrowSchema(aggregateColumns(['model', 'agent']))),
    }),
    jsonFile('aggregates.parquet.json', {
      title: 'Aggregates in Parquet, as Arrow names their types: a category is a text',
      metadata: ['assay.version', 'assay.config_hash', 'assay.truth_version', 'assay.instance', 'assay.partitions'],
      columns: describeArrow(arrowSchema(lakeColumns)),
    }),
    jsonFile('scores.arrow.json', {
      title: 'Score rows',
      metadata: [rowsKey],
      columns: describeArrow(arrowSchema(scoreColumnsOf(declarations))),
    }),
  ];
}

function schemaFile(name: string, title: string, schema: z.ZodType): SchemaFile {
  return jsonFile(`${name}.schema.json`, {
    title,
    ...z.toJSONSchema(schema, { io: 'input', target: 'draft-7', unrepresentable: 'any' }),
  });
}

function jsonFile(name: string, value: object): SchemaFile {
  return { path: `schemas/${name}`, text: `${JSON.stringify(value, null, 2)}\n` };
}
