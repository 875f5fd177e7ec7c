import { backOff, type Link, SilentError } from './kafka-outage.ts';

/** A client of Kafka that is connected at its first use, and anew after a failure. */
export interface Reconnecting<Client> {
  /** Does some work with the client, again after each outage until `signal` aborts. Rejects with errors that no retry can heal. */
  use<T>(work: (client: Client) => Promise<T>, onOutage?: () => void): Promise<T>;
  /** Forgets the client: the next use has a new connection and new metadata. */
  renew(): Promise<void>;
}

export interface ReconnectingOptions {
  readonly link: Link;
  readonly signal: AbortSignal;
  /** Returns whether an error is worth a retry. */
  readonly isOutage: (error: unknown) => boolean;
  /** Work that takes longer, in ms, is an outage before it has failed: brokers that answer nothing are given up late. */
  readonly silentMs: number | undefined;
}

/** Keeps one client at a time, made by `connect`. */
export function reconnecting<Client extends { disconnect(): Promise<unknown> }>(
  connect: () => Promise<Client>,
  { link, signal, isOutage, silentMs }: ReconnectingOptions,
): Reconnecting<Client> {
  let connected: Promise<Client> | undefined;
  const renew = async (): Promise<void> => {
    const old = connected;
    connected = undefined;
    await (await old?.catch(() => undefined))?.disconnect().catch(() => undefined);
  };
  const isSilent = (onOutage: (() => void) | undefined): void => {
    link.down(new SilentError(silentMs!));
    onOutage?.();
  };
  return {
    renew,
    async use(work, onOutage) {
      for (let attempt = 0; ; attempt++) {
        signal.throwIfAborted();
        const mine = (connected ??= connect());
        const silence = silentMs === undefined ? undefined : setTimeout(isSilent, silentMs, onOutage).unref();
        try {
          const result = await work(await mine);
          link.up();
          return result;
        } catch (error) {
          if (connected === mine) void renew();
          if (!isOutage(error)) throw link.explained(error);
          link.down(error);
          onOutage?.();
          await backOff(attempt, signal);
        } finally {
          clearTimeout(silence);
        }
      }
    },
  };
}
