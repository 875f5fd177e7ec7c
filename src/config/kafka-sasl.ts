import * as z from 'zod';
import { choice, key, secret, text } from './fields.ts';

/** `kafka.sasl`: how we say to brokers who we are. */
export const sasl = z.strictObject({
  mechanism: key(
    choice('plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer', 'aws-msk-iam'),
    'scram-sha-512',
    'How we say who we are.',
  ),
  username: key(text().optional(), 'assay', 'User name, of plain and scram.'),
  password: key(secret().optional(), 'battery staple', 'Password, of plain and scram.'),
  token_file: key(text().optional(), '/var/run/secrets/kafka-token', 'File with the token, read for each connection.'),
  token_url: key(
    text().optional(),
    'https://login.example.com/oauth2/token',
    'Where a token is had for client_id and client_secret (client credentials).',
  ),
  client_id: key(text().optional(), 'assay', 'Our name at token_url.'),
  client_secret: key(secret().optional(), 'battery staple', 'Our secret at token_url.'),
  scope: key(text().optional(), 'kafka', 'What is asked for at token_url.'),
  region: key(text().optional(), 'eu-central-1', 'Region of the Amazon MSK, of aws-msk-iam.'),
});
