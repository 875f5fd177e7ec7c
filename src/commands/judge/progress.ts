import type { Terminal } from '../../terminal/replay-progress.ts';
import type { Progress } from './judging.ts';

/** Shows a person how far the judging is. */
export interface JudgeProgress extends Progress {
  /** Judgements that are to be made; undefined where unknown. */
  total: number | undefined;
  /** The causes that keep it from going on, by name. */
  readonly hindered: Map<string, string>;
  end(): void;
}

const everyMs = 500;

/** Progress on a terminal: one line, drawn again and again, and gone at the end. */
export function judgeProgress(terminal: Terminal): JudgeProgress {
  const startMs = performance.now();
  const progress: JudgeProgress = {
    ...{ judged: 0, failed: 0, usd: 0, total: undefined, hindered: new Map() },
    end() {
      clearInterval(timer);
      if (terminal.isTTY) terminal.write('\r\u001b[K');
    },
  };
  const draw = (): void => {
    if (!terminal.isTTY) return;
    const line = judgeLine(progress, (performance.now() - startMs) / 1000);
    terminal.write(`\r${line.slice(0, (terminal.columns || 80) - 1)}\u001b[K`);
  };
  const timer = setInterval(draw, everyMs);
  timer.unref();
  return progress;
}

/** `120 judged, 1880 left, 3 failed, 0.05 USD, 4.0/s, 8m to go` */
export function judgeLine(
  { judged, failed, usd, total, hindered }: Omit<JudgeProgress, 'end'>,
  seconds: number,
): string {
  const left = total === undefined ? undefined : Math.max(0, total - judged);
  const rate = seconds > 0 ? judged / seconds : 0;
  return [
    `${judged} judged`,
    ...(left === undefined ? [] : [`${left} left`]),
    `${failed} failed`,
    `${usd.toFixed(usd < 1 ? 4 : 2)} USD`,
    `${rate.toFixed(1)}/s`,
    ...(left === undefined || rate === 0 || left === 0 ? [] : [`${timeText(left / rate)} to go`]),
    ...hindered.values(),
  ].join(', ');
}

function timeText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)}s`;
  return seconds < 3600 ? `${Math.ceil(seconds / 60)}m` : `${(seconds / 3600).toFixed(1)}h`;
}
