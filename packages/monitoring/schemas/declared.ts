import * as z from 'zod';
import type { Metric, Metrics } from '../../../src/scoring/metric.ts';
import type { RowField, RowFields } from '../../../src/scoring/row.ts';
import { band, count, each, estimate, mean, number, rate } from './shapes.ts';

/** The schema of a family's block in a summary group, from its declared metrics. */
export function blockSchema(metrics: Metrics<unknown>): z.ZodType {
  return z.strictObject(Object.fromEntries(Object.entries(metrics).map(([key, metric]) => [key, described(metric)])));
}

/** The schema of a family's part of a score row, from its declared fields. */
export function rowSchema(fields: RowFields<unknown>): z.ZodType {
  return z.strictObject(Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, fieldSchema(field)])));
}

function described(metric: Metric<unknown>): z.ZodType {
  const schema = metricSchema(metric);
  return 'help' in metric ? schema.describe(`${metric.title}: ${metric.help}`) : schema;
}

function metricSchema(metric: Metric<unknown>): z.ZodType {
  switch (metric.kind) {
    case 'rate':
      return rate;
    case 'mean':
      return mean;
    case 'number':
      return number;
    case 'estimate':
      return estimate;
    case 'count':
      return count;
    case 'band':
      return band;
    case 'matrix':
      return z.strictObject(each(metric.rows, z.strictObject(each(metric.columns, count))));
    case 'numbered':
      return z.record(z.string().regex(/^[1-9]\d*$/), mean);
    case 'group':
      return blockSchema(metric.metrics);
    case 'labels':
      return metric.isOpen
        ? named(blockSchema(metric.metrics))
        : z.strictObject(each(metric.names, blockSchema(metric.metrics)));
    case 'breakdown':
      return named(metric.depth === 1 ? metricSchema(metric.value) : named(metricSchema(metric.value))).optional();
  }
}

/** Keys are names from the data, or of the configuration. */
function named(schema: z.ZodType): z.ZodType {
  return z.record(z.string(), schema);
}

function fieldSchema(field: RowField<unknown>): z.ZodType {
  switch (field.kind) {
    case 'flag':
      return z.boolean();
    case 'count':
      return count;
    case 'place':
      return count.nullable();
    case 'number':
      return z.number();
    case 'text':
      return field.values ? z.enum(field.values as [string, ...string[]]) : z.string().nullable();
    case 'texts':
      return z.array(field.values ? z.enum(field.values as [string, ...string[]]) : z.string());
    case 'json':
      return z.unknown();
    case 'struct':
      return rowSchema(field.fields);
    case 'structs':
      return z.array(rowSchema(field.fields));
  }
}
