import { createHash } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';

/** `absent`: the request has no login; `busy`: too many logins wait to be checked, in all or of this address. */
export type LoginResult = 'right' | 'wrong' | 'absent' | 'busy';

/** Hash of the password (bcrypt) by user name. */
export type Users = ReadonlyMap<string, string>;

/** Checks the header `Authorization` of a request from an address. */
export type Login = (authorization: string | undefined, address: string, users: Users) => Promise<LoginResult>;

/**
 * Logins by HTTP basic authentication (RFC 7617). Results are cached by a hash of name and password, for as long as the same users are in
 * use. Any other login costs a bcrypt in another thread, one at a time; after a wrong one, further logins of the same address wait
 * another `wrongMs`. They wait and are not refused: behind a proxy all clients have one address, and a wrong password must not lock out
 * the right ones.
 */
export function createLogin(wrongMs: number): Login {
  const cache = new WeakMap<Users, Map<string, boolean>>();
  const addresses = new Map<string, Waiting>();
  const all: Waiting = { count: 0, last: Promise.resolve() };
  const inTurnOf = async (address: string, check: () => Promise<boolean>): Promise<boolean | undefined> => {
    const here = addresses.get(address) ?? { count: 0, last: Promise.resolve() };
    if (here.count >= waitingMaxOfAddress || all.count >= waitingMax) return undefined;
    addresses.set(address, here);
    const checked = inTurn(here, check);
    here.last = checked.then((right) => right || after(wrongMs, undefined, { ref: false }), ignore);
    void here.last.then(() => here.count === 0 && addresses.delete(address));
    return checked;
  };
  return async (authorization, address, users) => {
    const given = credentials(authorization);
    if (given === undefined) return 'absent';
    const known = cache.get(users) ?? new Map<string, boolean>();
    cache.set(users, known);
    const digest = createHash('sha256').update(`${given.user}\n${given.password}`).digest('hex');
    const check = async (): Promise<boolean> => {
      const right = known.get(digest) ?? (await inTurn(all, () => isRight(given, users)));
      store(known, digest, right);
      return right;
    };
    const right = known.get(digest) ?? (await inTurnOf(address, check));
    if (right === undefined) return 'busy';
    if (right) return 'right';
    await after(wrongMs, undefined, { ref: false });
    return 'wrong';
  };
}

interface Waiting {
  count: number;
  last: Promise<unknown>;
}

const waitingMax = 64;
const waitingMaxOfAddress = 8;
const wrongMax = 1_000;
const ignore = (): void => {};

/** Runs `work` after all work that was queued before it. */
function inTurn<T>(waiting: Waiting, work: () => Promise<T>): Promise<T> {
  waiting.count++;
  const done = waiting.last.then(work).finally(() => waiting.count--);
  waiting.last = done.catch(ignore);
  return done;
}

/** Caches a result. Right logins are as few as the users; of wrong ones the oldest are dropped. */
function store(known: Map<string, boolean>, digest: string, right: boolean): void {
  known.set(digest, right);
  if (known.size <= wrongMax) return;
  for (const [oldest, wasRight] of known) {
    if (wasRight) continue;
    known.delete(oldest);
    return;
  }
}

interface Credentials {
  readonly user: string;
  readonly password: string;
}

/**
 * An unknown name takes as long as a known one. The package is machine code, which a machine may lack: it is loaded where
 * there is a login, so that other machines need none.
 */
async function isRight({ user, password }: Credentials, users: Users): Promise<boolean> {
  const { verify } = await import('@node-rs/bcrypt');
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
