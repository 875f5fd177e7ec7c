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
    `Where a single event is shown. Its values are put in: ${names}; an event that lacks one has no link.`,
  ),
  page: key(
    address().optional(),
    'https://assay.example.com/',
    'The live page of this service, for whoever reads an alert.',
  ),
  dashboard: key(
    address().optional(),
    'https://grafana.example.com/',
    'Grafana, under whose address the generated dashboards are.',
  ),
  runbooks: key(
    address().optional(),
    'https://wiki.example.com/assay/',
    'Folder of the generated runbooks, for whoever reads an alert.',
  ),
});
