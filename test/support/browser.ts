import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { patience } from './until.ts';

const executablePath = '/usr/bin/chromium';
const timeoutMs = patience * 30_000;

/** Without a browser a test of the page is skipped, in CI it fails. */
export const noBrowser: string | false =
  existsSync(executablePath) || process.env['CI'] === 'true'
    ? false
    : `*** there is no ${executablePath}: apt-get install chromium ***`;

/** Debian's Chromium without a window, which talks to nobody by itself. */
export function launch(): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  return chromium.launch({
    executablePath,
    timeout: timeoutMs,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', ...quiet],
  });
}

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
}

/** What a page did besides showing itself. */
export interface Opened {
  readonly page: Page;
  /** Addresses asked for. */
  readonly requests: string[];
  /** Errors, dialogs and complaints of the content policy. */
  readonly troubles: string[];
}

/** Opens an address in a context of its own. */
export async function open(browser: Browser, url: string, options: OpenOptions = {}): Promise<Opened> {
  const { width = 1280, height = 900, theme = 'light' } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  context.setDefaultTimeout(timeoutMs);
  const page = await context.newPage();
  const opened: Opened = { page, requests: [], troubles: [] };
  page.on('request', (request) => opened.requests.push(request.url()));
  page.on('pageerror', (error) => opened.troubles.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') opened.troubles.push(message.text());
  });
  page.on('dialog', (dialog) => {
    opened.troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return opened;
}

/** A browser for the tests of one file. */
export async function browserFor(context: Pick<TestContext, 'after'>): Promise<Browser> {
  const browser = await launch();
  context.after(() => browser.close());
  return browser;
}

/** Pixels by which the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
