import * as z from 'zod';
import { key, secret, text } from './fields.ts';

const addressForm = 'is no address; write it as https://registry.example.com:8081';
const loginForm = 'holds a login; write it under kafka.schema_registry.username and password';

/** `kafka.schema_registry`: where the schemas of framed values are. */
export const schemaRegistry = z
  .strictObject({
    url: key(
      z.string({ error: addressForm }).regex(/^https?:\/\/[^\s/@?#]+(\/[^\s@?#]*)?$/, {
        error: ({ input }) => (String(input).includes('@') ? loginForm : addressForm),
      }),
      'https://registry.example.com:8081',
      "Address of the registry: Confluent's API, which others have too.",
    ),
    username: key(text().optional(), 'assay', 'User name, where it asks for one (basic authentication).'),
    password: key(secret().optional(), 'battery staple', 'Its password.'),
    ca_file: key(text().optional(), '/etc/assay/ca.pem', 'File with certificates to trust. Default: those of Node.'),
  })
  .optional()
  .describe('Where the schemas of framed values are; docs/reference/inputs.md, "Schema registry". Default: nowhere.');
