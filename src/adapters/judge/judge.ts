import type { Failure } from '../../scoring/judgement/judgement.ts';
import type { JsonObject } from '../../scoring/json.ts';

/** What is judged: what was expected, and what the agent did. */
export interface Material {
  readonly expected: JsonObject;
  readonly predicted: JsonObject;
}

/** What a judge said, or why it said nothing, and what that cost. */
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

/** Nothing was asked. */
export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

/** One who judges. */
export interface Judge {
  readonly judgement: 'judge' | 'semantic';
  readonly by: string;
  /** All that it is told besides the material. */
  readonly instructions: string | undefined;
  readonly scale: readonly [number, number];
  readonly concurrency: number;
  /** Resolves with undefined where the signal was aborted before there was an answer. Rejects with `EndpointError`. */
  ask(material: Material, signal: AbortSignal): Promise<Answer | undefined>;
  usd(usage: Usage): number;
}

/** An endpoint that will answer nobody as it is: the message names it and says why. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
}

/** What an endpoint needs to be asked. */
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
  /** What was spent of it; undefined: nobody knows, all of it. */
  settle(spent: Usage | undefined): void;
}

/** The way to an endpoint: its outages are waited for. */
export interface Link {
  /** Tries until there is an answer; resolves with undefined where the signal was aborted before. */
  through(attempt: () => Promise<Reply | undefined>, signal: AbortSignal): Promise<Reply | undefined>;
  warn(problem: string): void;
}

/** What came of a request. */
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
