import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

const SSL_REQUEST = 80_877_103;

/** Starts a server that speaks the PostgreSQL protocol and rejects every connection with that SQLSTATE and message. */
export async function startRejectingPostgres(state: string, message: string): Promise<{ port: number; close(): void }> {
  const fields = [`SFATAL`, `VFATAL`, `C${state}`, `M${message}`].map((field) => `${field}\0`).join('');
  const refusal = Buffer.alloc(5 + fields.length + 1);
  refusal.write('E');
  refusal.writeInt32BE(refusal.length - 1, 1);
  refusal.write(fields, 5);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      // A client that gives up ends with a shorter message.
      if (data.length < 8) socket.end();
      else if (data.readInt32BE(4) === SSL_REQUEST) socket.write('N');
      else socket.end(refusal);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
