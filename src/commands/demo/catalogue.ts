import type { JsonObject } from '../../scoring/json.ts';

/** A tool of the demonstration, with what its arguments may be. */
export interface DemoTool {
  readonly name: string;
  readonly parameters: JsonObject;
  /** Possible values by argument; the required ones are in `parameters.required`. */
  readonly values: Readonly<Record<string, readonly (string | number | boolean)[]>>;
}

/** The tools of one agent. */
export interface DemoAgent {
  readonly name: string;
  readonly tools: readonly DemoTool[];
}

const cities = ['Lisbon', 'Oslo', 'Nairobi', 'Quito', 'Hanoi', 'Porto Alegre', 'Zürich', 'Kyoto'];
const dates = ['2026-05-01', '2026-05-14', '2026-06-02', '2026-07-19', '2026-08-30'];
const accounts = ['A-1042', 'A-2207', 'A-3391', 'A-4580', 'A-5113'];

function tool(name: string, required: readonly string[], values: DemoTool['values']): DemoTool {
  const properties = Object.fromEntries(
    Object.entries(values).map(([key, [first]]) => [key, { type: typeOf(first), description: `${key} of ${name}` }]),
  );
  return { name, values, parameters: { type: 'object', properties, required } };
}

function typeOf(value: unknown): string {
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
}

/** Three agents with the tools that they may use. */
export const demoAgents: readonly DemoAgent[] = [
  {
    name: 'travel',
    tools: [
      tool('search_flights', ['from', 'to', 'date'], {
        from: cities,
        to: cities,
        date: dates,
        passengers: [1, 2, 3, 4],
        direct_only: [true, false],
      }),
      tool('book_hotel', ['city', 'check_in', 'nights'], { city: cities, check_in: dates, nights: [1, 2, 3, 5, 7] }),
      tool('cancel_booking', ['booking_id'], { booking_id: ['BK-771', 'BK-902', 'BK-118'], refund: [true, false] }),
    ],
  },
  {
    name: 'billing',
    tools: [
      tool('get_invoice', ['account', 'month'], { account: accounts, month: ['2026-03', '2026-04', '2026-05'] }),
      tool('issue_refund', ['account', 'amount', 'reason'], {
        account: accounts,
        amount: [12.5, 49.9, 120.75, 300.25],
        reason: ['duplicate charge', 'service outage', 'cancelled order'],
      }),
      tool('update_payment_method', ['account', 'method'], {
        account: accounts,
        method: ['card', 'bank transfer', 'invoice'],
      }),
    ],
  },
  {
    name: 'support',
    tools: [
      tool('open_ticket', ['title', 'priority'], {
        title: ['cannot sign in', 'app crashes on start', 'missing parcel', 'wrong item delivered'],
        priority: ['low', 'normal', 'urgent'],
        account: accounts,
      }),
      tool('track_parcel', ['parcel'], { parcel: ['P-55120', 'P-55871', 'P-60018'], carrier: ['north', 'swift'] }),
      tool('reset_password', ['account'], { account: accounts, notify: [true, false] }),
    ],
  },
];

/** Tools that no agent has: what a model makes up. */
export const inventedTools: readonly string[] = [
  'search_web',
  'send_email',
  'run_sql',
  'get_weather',
  'lookup_customer',
];

/** How one model behaves: shares of its mistakes. */
export interface DemoModel {
  readonly name: string;
  /** Share of right decisions. */
  readonly decides: number;
  /** Share of the wrong ones that are guesses: a call or an answer where there should be none. */
  readonly guesses: number;
  /** Share of right calls with a wrong argument. */
  readonly slips: number;
  /** Share of calls to a tool that does not exist. */
  readonly invents: number;
  /** How much the runs of one example differ, in [0, 1]. */
  readonly wavers: number;
}

export const demoModels: readonly DemoModel[] = [
  { name: 'atlas-large', decides: 0.95, guesses: 0.4, slips: 0.05, invents: 0.004, wavers: 0.1 },
  { name: 'atlas-mini', decides: 0.88, guesses: 0.3, slips: 0.13, invents: 0.02, wavers: 0.35 },
  { name: 'heron-7b', decides: 0.8, guesses: 0.3, slips: 0.22, invents: 0.04, wavers: 0.6 },
];
