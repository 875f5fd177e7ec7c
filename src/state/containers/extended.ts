/** A longer array that begins with what lies in another. */
export function extended<Kind extends { set(from: Kind): void }>(from: Kind, into: Kind): Kind {
  into.set(from);
  return into;
}
