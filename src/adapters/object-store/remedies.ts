import { codeOf } from './object-store.ts';

/** Causes and remedies of errors of folders and object stores, by their codes. */
const remedies: readonly (readonly [codes: readonly string[], remedy: string])[] = [
  [['ENOSPC'], 'the disk is full: make room there'],
  [['EDQUOT'], 'the quota there is used up: make room, or raise it'],
  [['EACCES', 'EPERM'], 'this user may not write there: make it writable'],
  [['EROFS'], 'the file system is mounted read-only: mount it writable'],
  [['EIO', 'ESTALE', 'ENOTCONN'], 'the disk or the network file system fails: look at the log of the machine'],
  [['EMFILE', 'ENFILE'], 'too many files are open: raise the limit (ulimit -n)'],
  [
    ['AccessDenied', 'Forbidden', '403'],
    'the credentials do not allow it: allow s3:ListBucket on the bucket, and s3:GetObject, s3:PutObject and s3:DeleteObject on its objects',
  ],
  [
    ['ExpiredToken', 'ExpiredTokenException', 'TokenRefreshRequired'],
    'the credentials have expired: renew AWS_SESSION_TOKEN and restart, or give a profile or role that renews itself',
  ],
  [
    ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'InvalidToken'],
    'the credentials are not those of this store: correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile or role',
  ],
  [['CredentialsProviderError'], 'there are no credentials: give them by environment, profile or role'],
  [
    [
      'SlowDown',
      'ServiceUnavailable',
      'Throttling',
      'ThrottlingException',
      'TooManyRequests',
      'TooManyRequestsException',
    ],
    'the store takes no more requests for now: it is tried again; if it lasts, raise state.checkpoint_every',
  ],
  [
    ['NotImplemented'],
    'the server of the store lacks a feature that the request names, often checksums: set AWS_REQUEST_CHECKSUM_CALCULATION=WHEN_REQUIRED and AWS_RESPONSE_CHECKSUM_VALIDATION=WHEN_REQUIRED',
  ],
  [['NoSuchBucket', 'InvalidBucketName'], 'there is no such bucket: create it, or correct its name'],
  [
    ['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'],
    'the bucket lies in another region: set s3.region',
  ],
  [['RequestTimeTooSkewed'], 'the clock of this machine is wrong: set it'],
  [['XMinioStorageFull', 'QuotaExceeded', 'XMinioAdminBucketQuotaExceeded'], 'the store is full: make room there'],
];

/** The cause of an error of a folder or a store, and what to do; undefined where its code says neither. */
export function remedyOf(error: unknown): string | undefined {
  const code = codeOf(error);
  return remedies.find(([codes]) => codes.includes(code))?.[1];
}

/** A message that ends with the remedy of an error, where there is one. */
export function withRemedy(message: string, error: unknown): string {
  const remedy = remedyOf(error);
  return remedy === undefined || message.endsWith(remedy) ? message : `${message}; ${remedy}`;
}
