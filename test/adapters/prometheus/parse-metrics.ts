export interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

export interface ParsedPage {
  readonly samples: readonly Sample[];
  /** Type by metric name, in the order of the page. */
  readonly types: ReadonlyMap<string, string>;
}

/**
 * A reader of text format 0.0.4, written from its description and not from the writer. Throws at anything out of
 * order: an unknown escape, a metric whose lines are not together, a series that occurs twice.
 */
export function parseMetrics(page: string): ParsedPage {
  if (page !== '' && !page.endsWith('\n')) throw new Error('the last line does not end');
  const types = new Map<string, string>();
  const seen = new Set<string>();
  const samples: Sample[] = [];
  let current = '';
  for (const line of page.split('\n').slice(0, -1)) {
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line);
    if (type !== null) {
      if (types.has(type[1]!)) throw new Error(`two TYPE lines of ${type[1]}`);
      types.set((current = type[1]!), type[2]!);
    } else if (!line.startsWith('# HELP ')) {
      const sample = parseSample(line);
      const belongs =
        sample.name === current ||
        (types.get(current) === 'histogram' && sample.name.replace(/_(bucket|sum|count)$/, '') === current);
      if (!belongs) throw new Error(`${sample.name} among the lines of ${current}`);
      const series = seriesName(sample);
      if (seen.has(series)) throw new Error(`twice: ${series}`);
      seen.add(series);
      samples.push(sample);
    }
  }
  return { samples, types };
}

export function seriesName({ name, labels }: Sample): string {
  return `${name} ${JSON.stringify([...labels].sort())}`;
}

/** Values of a metric by one of its labels. */
export function valuesBy(page: ParsedPage, name: string, label: string): Record<string, number> {
  const found = page.samples.filter((sample) => sample.name === name);
  return Object.fromEntries(found.map(({ labels, value }) => [labels.get(label) ?? '', value]));
}

function parseSample(line: string): Sample {
  const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(line)?.[0];
  if (name === undefined) throw new Error(`no metric name: ${JSON.stringify(line)}`);
  const labels = new Map<string, string>();
  let at = name.length;
  if (line[at] === '{') {
    at++;
    while (line[at] !== '}') {
      const label = /^[a-zA-Z_][a-zA-Z0-9_]*(?==")/.exec(line.slice(at))?.[0];
      if (label === undefined || labels.has(label))
        throw new Error(`no label, or twice, at ${at}: ${JSON.stringify(line)}`);
      const [value, end] = parseValue(line, at + label.length + 2);
      labels.set(label, value);
      at = line[end] === ',' ? end + 1 : end;
      if (line[end] !== ',' && line[end] !== '}')
        throw new Error(`no end of labels at ${end}: ${JSON.stringify(line)}`);
    }
    at++;
  }
  const number = /^ (\+Inf|-Inf|NaN|[-+0-9.eE]+)$/.exec(line.slice(at))?.[1];
  if (number === undefined) throw new Error(`no value: ${JSON.stringify(line)}`);
  return { name, labels, value: Number(number.replace('Inf', 'Infinity')) };
}

/** A quoted value from after its quote; returns it and the place after the closing one. */
function parseValue(line: string, from: number): [string, number] {
  let value = '';
  for (let at = from; at < line.length; at++) {
    const character = line[at]!;
    if (character === '"') return [value, at + 1];
    if (character !== '\\') value += character;
    else {
      const escaped = line[++at];
      if (escaped === 'n') value += '\n';
      else if (escaped === '\\' || escaped === '"') value += escaped;
      else throw new Error(`unknown escape \\${escaped}: ${JSON.stringify(line)}`);
    }
  }
  throw new Error(`unended value: ${JSON.stringify(line)}`);
}
