import type { Page } from 'playwright-core';

/** The value at a path of a summary group. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((from, key) => (from as Record<string, unknown> | null | undefined)?.[key], value);
}

/** The number at a path of a summary group: of a rate its value. */
export function numberAt(value: unknown, path: string): unknown {
  const found = at(value, path);
  return typeof found === 'object' && found !== null ? at(found, 'value') : found;
}

/** A number that a page shows. */
export interface Cell {
  /** Path of the summary. */
  readonly path: string;
  readonly value: string;
  readonly text: string;
}

/** The numbers that the page shows in some of its elements. */
export function cellsIn(page: Page, selector: string): Promise<Cell[]> {
  return page.$$eval(`${selector} [data-path]`, (elements) =>
    elements.map((element) => ({
      path: element.getAttribute('data-path')!,
      value: element.getAttribute('data-value')!,
      text: element.textContent!,
    })),
  );
}
