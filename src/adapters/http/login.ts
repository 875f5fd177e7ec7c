import { createHash } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { verify } from '@node-rs/bcrypt';

/** `absent`: nothing that could be checked came; `busy`: too many are being checked, or one from this address is. */
export type LoginResult = 'right' | 'wrong' | 'absent' | 'busy';

/** Hash of the password (bcrypt) by user name. */
export type Users = ReadonlyMap<string, string>;

/** Checks the header `Authorization` of a request from an address. */
export type Login = (authorization: string | undefined, address: string, users: Users) => Promise<LoginResult>;

/**
 * Logins by HTTP basic authentication (RFC 7617). A password that was right is remembered, as a hash, for as long as its users are in use;
 * any other costs a bcrypt in another thread, one at a time, and keeps its address from the next attempt for `wrongMs`.
 */
export function createLogin(wrongMs: number): Login {
  const right = new WeakMap<Users, Set<string>>();
  const trying = new Set<string>();
  const queue = { last: Promise.resolve() };
  return async (authorization, address, users) => {
    const given = credentials(authorization);
    if (given === undefined) return 'absent';
    const known = right.get(users) ?? new Set();
    right.set(users, known);
    const digest = createHash('sha256').update(`${given.user}\n${given.password}`).digest('hex');
    if (known.has(digest)) return 'right';
    if (trying.has(address) || trying.size >= tryingMax) return 'busy';
    trying.add(address);
    try {
      const checked = queue.last.then(() => isRight(given, users));
      queue.last = checked.then(ignore, ignore);
      if (await checked) {
        known.add(digest);
        return 'right';
      }
      await after(wrongMs, undefined, { ref: false });
      return 'wrong';
    } finally {
      trying.delete(address);
    }
  };
}

const tryingMax = 64;
const ignore = (): void => {};

interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** A name that nobody has takes as long as one that somebody has. */
async function isRight({ user, password }: Credentials, users: Users): Promise<boolean> {
  const hash = users.get(user);
  const [anyHash] = users.values();
  return (await verify(password, hash ?? anyHash!)) && hash !== undefined;
}

function credentials(authorization: string | undefined): Credentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
