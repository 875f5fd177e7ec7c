import type { Failure } from '../../scoring/judgement/judgement.ts';
import type { Json, JsonObject } from '../../scoring/json.ts';

/** The material of a judgement: what was expected, or without truth what was asked, and what the agent did. */
export interface Material {
  /** Undefined: there is no truth. */
  readonly expected: JsonObject | undefined;
  /** A text or messages; undefined where there is truth, or nothing says it. */
  readonly request?: Json | undefined;
  readonly predicted: JsonObject;
}

/** A judge's score, or the reason why there is none, with its cost. */
export interface Answer {
  readonly score: number | undefined;
  readonly failed: Failure | undefined;
  readonly reason: string | undefined;
  readonly usage: Usage;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The usage of no request. */
export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

/** A model that judges predictions. */
export interface Judge {
  readonly judgement: 'judge' | 'semantic';
  readonly by: string;
  /** The prompt besides the material. */
  readonly instructions: string | undefined;
  /** The same for material without truth; undefined: it needs truth. */
  readonly withoutTruth: string | undefined;
  readonly scale: readonly [number, number];
  readonly concurrency: number;
  /** Resolves with undefined where the signal was aborted before there was an answer. Rejects with `EndpointError`. */
  ask(material: Material, signal: AbortSignal): Promise<Answer | undefined>;
  usd(usage: Usage): number;
}

/** An endpoint that cannot answer any request: the message names it and says why. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
}

/** The settings of an endpoint. */
export interface EndpointOptions {
  readonly endpoint: string;
  readonly model: string;
  /** The key at this moment; undefined where there is none. */
  readonly apiKey: () => Promise<string | undefined>;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly budget: Budget;
  readonly link: Link;
}

/** Money that must not be passed. */
export interface Budget {
  /** Puts the most that a question can cost aside, as soon as there is so much; resolves with undefined where the signal was aborted before. */
  reserve(most: Usage, signal: AbortSignal): Promise<Reserved | undefined>;
  usd(usage: Usage): number;
}

export interface Reserved {
  /** Settles the budget by the usage that was spent; undefined, where it is unknown, counts all of it. */
  settle(spent: Usage | undefined): void;
}

/** The way to an endpoint: its outages are waited for. */
export interface Link {
  /** Tries until there is an answer; resolves with undefined where the signal was aborted before. */
  through(attempt: () => Promise<Reply | undefined>, signal: AbortSignal): Promise<Reply | undefined>;
  warn(problem: string): void;
}

/** The result of a request. */
export type Reply =
  /** `body` is undefined where the answer is no JSON. */
  | { readonly kind: 'answer'; readonly body: unknown }
  /** The endpoint will not take the request. */
  | { readonly kind: 'refused'; readonly status: number; readonly text: string }
  | { readonly kind: 'timeout' }
  /** Later it may be taken; `reached`: it may have been answered, and the answer lost; `text`: what came with status 500. */
  | {
      readonly kind: 'later';
      readonly afterMs: number | undefined;
      readonly reached: boolean;
      readonly why: string;
      readonly text?: string;
    };
