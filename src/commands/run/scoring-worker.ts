import { parentPort, workerData } from 'node:worker_threads';
import { beginTruth } from '../../adapters/truth-files/truth-thread.ts';
import { messageOf, UsageError } from '../../errors.ts';
import { createReporter } from '../../service/scorer-messages.ts';
import { truthLoading } from '../../service/truth-loading.ts';
import type { WorkerMessage, WorkerOrder, WorkerRequest } from './messages.ts';

/** A thread that scores: a member of the group, which its maker shows. The truth is being read while the rest of the program is loaded. */
const port = parentPort!;
const request = workerData as WorkerRequest;
const [stop, stopping] = [new AbortController(), new AbortController()];
const reporter = createReporter(tell);
port.on('message', (order: WorkerOrder) => {
  if (typeof order === 'object') reporter.heard(order);
  else (order === 'stop' ? stop : stopping).abort();
});
const { paths } = request.config.truth;
const begun =
  paths.length === 0 ? undefined : beginTruth(paths, { ...truthLoading(request.config), signal: stop.signal });
try {
  const { scoreTopics } = await import('./score-topics.ts');
  tell({ kind: 'ended', status: await scoreTopics({ ...request, begun, reporter, signal: stop.signal, stopping }) });
} catch (error) {
  tell({ kind: 'failed', isUsage: error instanceof UsageError, message: messageOf(error) });
}
port.close();

/** Memory that holds a checkpoint alone is given away. */
function tell(message: WorkerMessage): void {
  const bytes = message.kind === 'saved' ? message.checkpoint.bytes : undefined;
  const isWhole = bytes !== undefined && bytes.byteLength === bytes.buffer.byteLength;
  port.postMessage(message, isWhole ? [bytes.buffer as ArrayBuffer] : []);
}
