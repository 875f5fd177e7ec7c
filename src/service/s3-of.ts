import type { S3Settings } from '../adapters/object-store/object-store.ts';
import type { Config } from '../config/config.ts';

/** How a configuration reaches buckets. */
export function s3Of({ s3: { endpoint, region, path_style: pathStyle } }: Config): S3Settings {
  return { endpoint, region, pathStyle };
}
