import * as z from 'zod';
import { choice, key } from './fields.ts';

/** `runs`: how the steps of an agent make a run. */
export const runs = z.strictObject({
  split: key(
    choice('user').optional(),
    'user',
    'user: each message of the user in a list of messages begins a run of its own, numbered from 0. Default: a list is one run.',
  ),
});
