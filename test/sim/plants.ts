/** A bug to plant, at a seam that the simulation controls: what the teeth are tried on. */
export interface Plant {
  /** Records below the next offset are applied again. */
  readonly fence?: 'none';
  /** Which checkpoint the store restores. */
  readonly store?: 'last writer' | 'greatest offset, valid or not';
  /** Where the source reads on after a restart, whatever the state says. */
  readonly resume?: 'committed offset';
  /** Checkpoints do not wait for the dead letters. */
  readonly deadLetters?: 'not awaited';
  /** What event time is. */
  readonly eventTime?: 'wall clock';
  /** The group accepts a commit of a member of an older epoch. */
  readonly commits?: 'not fenced';
  /** A checkpoint is acknowledged before it is written. */
  readonly saves?: 'acknowledged early';
  /** Changes of the state that a journal leaves out. */
  readonly journal?: 'forgets what was removed';
  /** Checkpoints lack a step of an open run, or hold one that has ended; ends are forgotten; steps are as old as their records. */
  readonly runs?: 'step lost' | 'closed twice' | 'ends forgotten' | 'order of arrival';
  /** All versions of the truth have the same name. */
  readonly truth?: 'same name';
}
