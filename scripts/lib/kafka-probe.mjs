import { connect } from 'node:net';

/**
 * Asks a broker, in Kafka's own protocol, whether a client could work with it: every broker of the cluster is known, a
 * controller is elected and a group coordinator can be found. Needs no Kafka client, so it works before `npm install`.
 *
 * @param {{ host: string, port: number, brokers: number }} options
 * @returns {Promise<boolean>}
 */
export async function kafkaAnswers({ host, port, brokers }) {
  const socket = connect({ host, port });
  socket.on('error', () => undefined);
  try {
    const metadata = await ask(socket, { key: 3, version: 6, body: Buffer.concat([int32(0), Buffer.from([0])]) });
    if (!knowsAll(metadata, brokers)) return false;
    const coordinator = await ask(socket, {
      key: 10,
      version: 2,
      body: Buffer.concat([string('assay-probe'), Buffer.from([0])]),
    });
    return coordinator.readInt16BE(4) === 0;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

// Metadata response, version 6: throttle_time, [node_id, host, port, rack], cluster_id, controller_id, ...
function knowsAll(answer, brokers) {
  const count = answer.readInt32BE(4);
  let at = 8;
  const skipString = () => {
    at += 2 + Math.max(0, answer.readInt16BE(at));
  };
  for (let broker = 0; broker < count; broker++) {
    at += 4;
    skipString();
    at += 4;
    skipString();
  }
  skipString();
  return count === brokers && answer.readInt32BE(at) >= 0;
}

/** Sends one request and gives the response without its length and correlation id. */
function ask(socket, { key, version, body }) {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const settle = (act, value) => {
      clearTimeout(timer);
      socket.off('data', take).off('close', closed);
      act(value);
    };
    const take = (bytes) => {
      received = Buffer.concat([received, bytes]);
      if (received.length >= 4 && received.length >= 4 + received.readInt32BE(0)) settle(resolve, received.subarray(8));
    };
    const closed = () => settle(reject, new Error('connection closed'));
    const timer = setTimeout(() => settle(reject, new Error('no answer')), 2000);
    socket.on('data', take).on('close', closed);
    const request = Buffer.concat([int16(key), int16(version), int32(0), string('assay'), body]);
    socket.write(Buffer.concat([int32(request.length), request]));
  });
}

function int16(value) {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function string(text) {
  return Buffer.concat([int16(Buffer.byteLength(text)), Buffer.from(text)]);
}
