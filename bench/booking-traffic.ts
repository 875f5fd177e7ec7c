import { pick, type Random, seeded } from '../src/statistics/random.ts';
import type { TruthRecord } from '../src/formats/truth/record.ts';
import type { Json } from '../src/scoring/json.ts';

/**
 * Traffic of long events in the manner of tau-bench's airline: one to three calls with nested arguments, the names of 14 tools, and every
 * call that the agent tried besides, which Assay does not read. An event has 2.7 KB. Equal calls give equal records.
 */
export interface BookingTraffic {
  readonly truth: readonly TruthRecord[];
  next(tsMs: number): { readonly key: string; readonly value: string };
}

const tasks = 500;
const runs = 4;
const models = ['heron-large', 'heron-7b', 'atlas-mini'];
/** Share of runs that get a value of their last call wrong. */
const slips = 0.4;
const eventBytes = 2_700;

const tools = [
  ...['book_reservation', 'calculate', 'cancel_reservation', 'get_reservation_details', 'get_user_details'],
  ...['list_all_airports', 'search_direct_flight', 'search_onestop_flight', 'send_certificate', 'think'],
  ...['transfer_to_human_agents', 'update_reservation_baggages', 'update_reservation_flights'],
  'update_reservation_passengers',
];

const known = tools.map((name) => ({ name, parameters: null }));

interface Call {
  readonly name: string;
  readonly arguments: { readonly [key: string]: Json };
}

/** Makes traffic: tasks first, then predictions of them, run by run. */
export function bookingTraffic(): BookingTraffic {
  const random = seeded(13);
  const truth = Array.from({ length: tasks }, (_, task): TruthRecord => {
    const calls = Array.from({ length: 1 + (task % 3) }, () => booking(random));
    return {
      example_id: `task-${task}`,
      label: 'tool_call',
      tools: known,
      expected_tool_calls: calls,
      reference: null,
    };
  });
  let number = 0;
  return {
    truth,
    next(tsMs) {
      const { example_id, expected_tool_calls: expected } = truth[Math.floor(number / runs / models.length) % tasks]!;
      const calls = (expected as readonly Call[]).map((call, at) => {
        const isWrong = at === expected!.length - 1 && random() < slips;
        return isWrong ? { ...call, arguments: { ...call.arguments, total_baggages: 9 } } : call;
      });
      const event = {
        event_id: `booking-${number}`,
        example_id,
        ts: new Date(tsMs).toISOString(),
        model: models[number % models.length]!,
        agent: 'airline',
        run: Math.floor(number / models.length) % runs,
        label: 'tool_call',
        tools,
        success: calls.every((call, at) => call === expected![at]),
        n_assistant_turns: 12,
        tool_calls: calls.map((call, at) => ({ id: `call_${number}_${at}`, ...call })),
      };
      number++;
      const length = JSON.stringify(event).length;
      const thought = thoughts.slice(0, Math.max(0, eventBytes - length - tried('').length));
      return { key: String(example_id), value: `${JSON.stringify(event).slice(0, -1)},${tried(thought)}}` };
    },
  };
}

function booking(random: Random): Call {
  const city = (): string => pick(random, ['JFK', 'SEA', 'ORD', 'LAX', 'DFW', 'MIA', 'PHX', 'EWR']);
  const day = (): string => `2024-05-${10 + Math.floor(20 * random())}`;
  const flight = (): Json => ({ flight_number: `HAT${100 + Math.floor(200 * random())}`, date: day() });
  return {
    name: pick(random, ['book_reservation', 'update_reservation_flights']),
    arguments: {
      user_id: `user_${Math.floor(9_999 * random())}`,
      origin: city(),
      destination: city(),
      cabin: pick(random, ['economy', 'business', 'basic_economy']),
      flights: [flight(), flight()],
      passengers: [{ first_name: 'Mia', last_name: pick(random, ['Li', 'Kim', 'Ito']), dob: '1990-04-05' }],
      payment_methods: [{ payment_id: `credit_card_${Math.floor(9_999_999 * random())}`, amount: 250 }],
      total_baggages: Math.floor(4 * random()),
      insurance: pick(random, ['yes', 'no']),
    },
  };
}

function tried(thought: string): string {
  const call = { name: 'get_user_details', arguments: { user_id: 'mia_li_3668' } };
  const calls = [call, call, { name: 'think', arguments: { thought } }];
  return `"all_tool_calls":${JSON.stringify(calls)}`;
}

const thoughts =
  'The total cost of the flights is $255, but the system says $305; the difference may be a fee. The payment has to be spread again. '.repeat(
    20,
  );
