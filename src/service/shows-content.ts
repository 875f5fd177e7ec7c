import type { Config } from '../config/config.ts';
import { hasLogin, readWebConfig } from '../config/web-config.ts';
import type { Redacted } from '../formats/json/preview.ts';
import { type InputRow, withoutContent } from '../view/input-report.ts';

/** Returns whether arguments and outputs of events may be shown on the port: only this machine reaches it, or clients have logged in. */
export function showsContent({ host, show_content, web_config }: Config['http']): boolean {
  if (show_content !== undefined) return show_content;
  return isLoopback(host) || (web_config !== undefined && hasLogin(readWebConfig(web_config)));
}

/** The parts of events that are hidden from clients of the port. */
export function redactedOf(http: Config['http']): Redacted {
  return showsContent(http) ? new Set(http.redact) : 'all';
}

/** Rows as the page, the log and HTTP may show them: where some arguments are hidden, all that may hold some is. */
export function shownRows(rows: readonly InputRow[], { http }: Config): readonly InputRow[] {
  return showsContent(http) && http.redact.length === 0 ? rows : withoutContent(rows);
}

/** Returns whether only this machine reaches an address. */
export function isLoopback(host: string): boolean {
  return /^(127\.|::1$|localhost$)/.test(host);
}
