/** Weights of a header such as Accept (RFC 9110, 12.4.2) by media type; of its parameters only `version` counts. */
function weights(header: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [kind = '', ...parameters] = part.split(';').map((text) => text.trim());
    const parameter = (name: string): string | undefined =>
      parameters.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1);
    const version = parameter('version');
    const weight = Number(parameter('q') ?? 1);
    found.set(version === undefined ? kind : `${kind};${version}`, Number.isNaN(weight) ? 0 : weight);
  }
  return found;
}

/** Returns whether OpenMetrics 1.0 has at least the weight of text. A bare `*` gets text. */
export function prefersOpenMetrics(accept: string): boolean {
  const given = weights(accept);
  const openMetrics = given.get('application/openmetrics-text;1.0.0') ?? given.get('application/openmetrics-text') ?? 0;
  const text = given.get('text/plain;0.0.4') ?? given.get('text/plain') ?? given.get('text/*') ?? 0;
  return openMetrics > 0 && openMetrics >= text;
}

/** Returns whether a collector of metrics asks: it names a version of a text format, or OpenMetrics, as no person's client does by itself. */
export function isScrape(accept: string): boolean {
  return [...weights(accept).keys()].some(
    (kind) => kind.startsWith('application/openmetrics-text') || /;0\.0\.\d$/.test(kind),
  );
}

/** Returns whether gzip (or `*`, where gzip is not named) is accepted with a weight above 0 (RFC 9110, 12.5.3). */
export function acceptsGzip(acceptEncoding: string): boolean {
  const given = weights(acceptEncoding);
  return (given.get('gzip') ?? given.get('*') ?? 0) > 0;
}
