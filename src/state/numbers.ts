/** The scalars of a partition, all additive counts but the first two. */
export interface Numbers {
  nextOffset: number;
  /** Greatest event time applied; -Infinity before the first. */
  greatestTs: number;
  read: number;
  scored: number;
  expired: number;
  duplicates: number;
  late: number;
  /** Steps of runs, and the runs that they make, open ones among them. */
  steps: number;
  runs: number;
  unverified: number;
  /** Judgements among those scored. */
  judgements: number;
  /** Feedback records that reached an event, once for each event. */
  feedback: number;
  callsNotRecorded: number;
  /** Offset and identity of the last record applied. */
  lastOffset: number;
  last0: number;
  last1: number;
  last2: number;
  last3: number;
  /** Records below our position that the log no longer had. */
  lost: number;
}

/** The numbers before the first record. */
export function emptyNumbers(): Numbers {
  return {
    nextOffset: 0,
    greatestTs: Number.NEGATIVE_INFINITY,
    read: 0,
    scored: 0,
    expired: 0,
    duplicates: 0,
    late: 0,
    steps: 0,
    runs: 0,
    unverified: 0,
    judgements: 0,
    feedback: 0,
    callsNotRecorded: 0,
    lastOffset: -1,
    last0: 0,
    last1: 0,
    last2: 0,
    last3: 0,
    lost: 0,
  };
}
