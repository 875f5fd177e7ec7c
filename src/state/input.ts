import { programName } from '../name.ts';

/** An oddity of an event that is read all the same. */
interface InputProblem {
  /** The counted thing, after its number: `3 calls malformed`. */
  readonly what: string;
  readonly remedy: string;
  /** Its example may hold arguments or outputs of an event. */
  readonly showsContent?: true;
  /** Count of something that is as it should be. */
  readonly isUsual?: true;
}

function decidedBy(condition: string, what: string) {
  return {
    what: `decisions read from ${what} (decision.rules, condition ${condition})`,
    remedy: 'give label where the rule is wrong',
    showsContent: true,
    isUsual: true,
  } as const;
}

/**
 * The counts of the input besides the fate of each event (docs/reference/outputs.md, "Input"): a row here is all that another kind takes.
 * The counts belong to the state, so they are exact whatever restarts; where a kind was seen first does not.
 */
export const inputProblems = {
  malformed_calls: {
    what: 'calls malformed',
    remedy: 'give each call a name, and arguments as an object or its JSON text; they match nothing as they are',
    showsContent: true,
  },
  unparsed_arguments: {
    what: 'calls whose argument text is no JSON',
    remedy: 'log the arguments as the model gave them, not cut off; they match nothing as they are',
    showsContent: true,
  },
  unread_calls: {
    what: 'records that hold calls which nothing read',
    remedy:
      'say where they lie with input.fields (replay: --field tool_calls=PLACE), or take them out; --allow-unread accepts them',
  },
  calls_in_text: {
    what: 'texts that hold a call which the server did not parse',
    remedy: "set the server's tool-call parser for this model; no call was made, so they count as wrong",
    showsContent: true,
  },
  answers_found: {
    what: 'answers found inside their records',
    remedy: 'set input.response and input.format (replay: --response, --format) to read no other place',
  },
  not_standard_json: {
    what: 'records or arguments with NaN or Infinity, which JSON does not have',
    remedy: 'they are read as null; write None in their place (json.dumps(..., allow_nan=False) finds them)',
  },
  labels_missing: {
    what: 'events without a call and without a label',
    remedy:
      'give label, or set decision.rules: words, which reads decisions from words; until then they are wrong decisions that answer_hall cannot see',
  },
  labels_invalid: {
    what: 'events with a label that is none of the four',
    remedy: 'use direct, tool_call, request_for_info or cannot_answer; they count as wrong decisions',
  },
  unknown_tools: {
    what: 'events with a tool at hand that their truth does not know',
    remedy: 'use the same tool names in events and truth; a call by another name matches nothing',
  },
  unchecked_arguments: {
    what: 'calls with arguments of which the schema of the tool says nothing',
    remedy: 'give each parameter a type under properties, as JSON Schema does; such arguments count as accepted',
  },
  unusable_schemas: {
    what: 'calls of a tool whose JSON Schema cannot be used',
    remedy: 'give parameters that are a JSON Schema of draft 7 with local references; such calls are not checked',
  },
  renamed_tools: {
    what: 'events with a tool that is known by another form of its name',
    remedy: 'add tools: {rename: common} to the configuration; a call by another name matches nothing',
  },
  near_names: {
    what: 'events with an unread field named almost like one that is read',
    remedy: 'rename the field, or say where it lies with input.fields (replay: --field)',
  },
  tags_not_read: {
    what: 'events whose tags are no object',
    remedy: 'give tags as {"name": "text"}; slices by a tag count these events without it',
  },
  choices_ignored: {
    what: 'choices of answers not read',
    remedy: 'their answers say which run they are, so the first choice counts; leave run out to have each as a run',
  },
  spans_ignored: {
    what: 'spans and log records that are no part of a run, or have no output messages',
    remedy: 'nothing, where they are the rest of a trace; else let the instrumentation record messages in spans',
  },
  messages_ignored: {
    what: 'messages of MCP that are no call of a tool',
    remedy: 'nothing: results of tools and other requests are no decisions',
  },
  conflicts: {
    what: 'events with example and id of an earlier one, but another content',
    remedy: 'give each event of an example an event_id of its own; the first counts, as of duplicates',
  },
  truth_conflicts: {
    what: 'events for which feedback expects different things',
    remedy: 'the newest holds; let those who gave it agree (assay truth suspects --feedback lists these events)',
  },
  late_steps: {
    what: 'steps that came after their run had ended',
    remedy:
      'raise runs.idle, or time.out_of_orderness; see that all steps of a run reach one partition, in about their order',
  },
  runs_cut: {
    what: 'runs that ended without an answer since no step came within runs.idle, and of which a further step came later',
    remedy: 'raise runs.idle, so that all steps of a run are in it',
  },
  runs_split: {
    what: 'traces whose root came, and no answer of a model',
    remedy:
      'key the topic by trace id (Collector: partition_traces_by_id: true); see that spans of models are exported too',
  },
  results_unmatched: {
    what: 'tools that ran in a trace without a call of theirs',
    remedy:
      'nothing, where the program ran them by itself; else see that spans of tools have the name or the id of the call (gen_ai.tool.name, gen_ai.tool.call.id)',
  },
  runs_unnamed: {
    what: 'runs whose steps name no example: the id of their trace, or of their first answer, stands for it',
    remedy: `set the attribute ${programName}.example_id on the root span, or say where it lies with input.fields.example_id, so that truth is found`,
  },
  events_unnamed: {
    what: 'events that name no example: their own id, or their place, stands for it',
    remedy: 'before truth is given, say where it lies with input.fields.example_id (replay: --field example_id=PLACE)',
    isUsual: true,
  },
  untimed: {
    what: 'events without any time',
    remedy: 'give ts, or say where it lies; their place in the file orders them, and windows mean nothing',
  },
  words_refused: decidedBy('refused', 'a refusal'),
  words_text: decidedBy('text', 'a phrase'),
  words_question: decidedBy('question', 'a question'),
  words_otherwise: decidedBy('none', 'other words'),
} as const satisfies Readonly<Record<string, InputProblem>>;

export type InputKind = keyof typeof inputProblems;

/** Kinds of rules that read a decision from words. */
export type WordsKind = Extract<InputKind, `words_${string}`>;

export const inputKinds = Object.keys(inputProblems) as readonly InputKind[];

/** Counts by kind. */
export type InputCounts = Record<InputKind, number>;

/** Counts of no oddity. */
export function noInputCounts(): InputCounts {
  return Object.fromEntries(inputKinds.map((kind) => [kind, 0])) as InputCounts;
}
