import * as z from 'zod';
import { choice, duration, flag, key, list, text, timer } from './fields.ts';
import { programName } from '../name.ts';

/** Where checkpoints lie. */
export const state = z.strictObject({
  dir: key(
    text().default(`.${programName}/state`),
    '/var/lib/assay/state',
    'Folder of the checkpoints, shared by the instances of a group; or s3://bucket/prefix.',
  ),
  cache: key(
    text().optional(),
    '/var/cache/assay',
    'Folder that keeps a copy of what is written to s3://, so that a restart on the same machine reads it from there.',
  ),
  checkpoint_every: key(timer().prefault('5s'), '10s', 'Time between checkpoints.'),
});

/** How buckets are reached. */
export const s3 = z.strictObject({
  endpoint: key(
    text().optional(),
    'https://minio.example.com:9000',
    'Address of the object store. Default: that of AWS, or AWS_ENDPOINT_URL_S3.',
  ),
  region: key(text().optional(), 'eu-central-1', "Region of the bucket. Default: as AWS's tools find it."),
  path_style: key(
    flag().optional(),
    true,
    'Whether the bucket is named in the path and not in the host. Default: where an endpoint is named.',
  ),
});

/** The files that are written for other tools. */
export const snapshots = z.strictObject({
  dir: key(
    text().optional(),
    '/var/lib/assay/snapshots',
    'Folder of the Arrow snapshots and of score rows; or s3://bucket/prefix. Default: run writes none.',
  ),
  every: key(timer().prefault('1m'), '5m', 'Time between snapshots, and until a file of score rows ends.'),
  keep: key(duration(1).prefault('7d'), '30d', 'Snapshots older than this are deleted.'),
  format: key(
    choice('arrow', 'parquet').default('arrow'),
    'parquet',
    'Form of the files of the service; those of Parquet are compressed, and lie in folders of the day, score rows of the hour.',
  ),
  scores: key(
    choice('failures', 'all', 'none').default('failures'),
    'all',
    'Which scored predictions get a score row.',
  ),
  tags: key(
    list(text(), '[trace_id]').default([]),
    ['trace_id'],
    'Tags that score rows carry besides those of slices.',
  ),
});
