import * as z from 'zod';
import { linkFields, namesIn } from '../formats/summary/trace-link.ts';
import { key } from './fields.ts';

const addressForm = 'is no address; write it as https://assay.example.com/';
const address = () => z.string({ error: addressForm }).regex(/^https?:\/\/[^\s/]\S*$/, { error: addressForm });

const names = [...linkFields, 'tags.<name>'].map((name) => `{${name}}`).join(', ');
const isKnown = (name: string): boolean =>
  (linkFields as readonly string[]).includes(name) || /^tags\.[\s\S]/.test(name);

/** `links`: where more is to be seen. */
export const links = z.strictObject({
  trace: key(
    address()
      .refine((template) => namesIn(template).every(isKnown), { error: `names something else than ${names}` })
      .optional(),
    'https://traces.example.com/trace/{tags.trace_id}',
    `Address of the trace of a single event, with values of the event in it: ${names}. An event that lacks one has no link.`,
  ),
  page: key(
    address().optional(),
    'https://assay.example.com/',
    'Address of the web page of this service; alerts link to it.',
  ),
  dashboard: key(
    address().optional(),
    'https://grafana.example.com/',
    'Address of the Grafana that has the generated dashboards; alerts link to them.',
  ),
  runbooks: key(
    address().optional(),
    'https://wiki.example.com/assay/',
    'Address of the folder of the generated runbooks; alerts link to them.',
  ),
});
