import type { Config } from './config.ts';
import type { DeepValidator } from '../scoring/schema/index.ts';

/** The validator of whole JSON Schemas, loaded where it is asked for (`metrics.schema.deep`). */
export async function deepOf({ metrics }: Config): Promise<DeepValidator | undefined> {
  if (!metrics.schema.deep) return undefined;
  const { deepValidator } = await import('../formats/json-schema/validator.ts');
  return deepValidator();
}
