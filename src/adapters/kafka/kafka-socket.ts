import { connect, type Socket } from 'node:net';
import { kafkaJsSocket, type SocketOptions } from './kafkajs-parts.ts';

const readBytes = 256 * 1024;

/**
 * A connection to a broker that reads into one buffer again and again, which holds until the listeners of `data` return: V8 collects all
 * garbage when so many bytes of buffers were made, however few are left. With TLS, as kafkajs has it.
 */
export function kafkaSocket(options: SocketOptions): Socket {
  const { host, port, ssl, onConnect } = options;
  if (ssl) return kafkaJsSocket(options);
  const buffer = Buffer.allocUnsafeSlow(readBytes);
  const callback = (bytes: number): boolean => {
    socket.emit('data', buffer.subarray(0, bytes));
    return true;
  };
  const socket = connect({ host, port, onread: { buffer, callback } }, onConnect);
  return socket.setKeepAlive(true, keepAliveMs);
}

const keepAliveMs = 60_000;
