import { parentPort, type TransferListItem } from 'node:worker_threads';

/** The answer of a thread, with the memory that it gives away. */
export interface StandingAnswer<Answer> {
  readonly answer: Answer;
  readonly transferred?: readonly TransferListItem[];
}

/** Has this thread answer what it is asked (`standing-thread.ts`). What `work` throws ends it. */
export function answerRequests<Request, Answer>(
  work: (request: Request) => StandingAnswer<Answer> | Promise<StandingAnswer<Answer>>,
): void {
  parentPort!.on('message', async (request: Request) => {
    const { answer, transferred } = await work(request);
    parentPort!.postMessage(answer, transferred);
  });
}
