import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Settings } from '../config/settings.js';
import { Readiness } from '../health/readiness.js';
import { closeIdleWhenCrowded } from './idle-connections.js';
import { drain } from './drain.js';
import { StartError } from '../../common/start-error.js';

/** Enough for requests and the same number of streams. Node closes further connections at once. */
const MAX_CONNECTIONS = 4_000;
/** From this number on, idle connections make room for new ones. */
const CROWDED = 3_600;

/** Listens on the configured address and port. */
export async function listen(app: NestFastifyApplication, { HOST, PORT }: Settings): Promise<void> {
  const server: Server = app.getHttpServer();
  server.maxConnections = MAX_CONNECTIONS;
  closeIdleWhenCrowded(server, CROWDED);
  try {
    await app.listen(PORT, HOST);
  } catch (error) {
    throw new StartError(`The service cannot listen on ${HOST}:${PORT}: ${reasonOf(error, HOST)}`);
  }
}

function reasonOf(error: unknown, host: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return 'the port is in use. Stop the process that uses it, or choose another port: PORT=3001 npm start';
  if (code === 'EACCES')
    return 'this user has no permission for the port. Choose a port above 1023: PORT=3000 npm start';
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code ?? '')) {
    return `${host} is not an address of this machine. Use one of its addresses, or all of them: HOST=0.0.0.0 npm start`;
  }
  return message;
}

/**
 * Turns readiness off unless a successor listens on the same port, waits until proxies have noticed, drains requests in
 * flight, and then closes the workers and the connection pool.
 */
export async function stopServing(app: NestFastifyApplication, drainMs: number, hasSuccessor = false): Promise<void> {
  app.get(Readiness).leave({ hasSuccessor });
  await sleep(drainMs);
  await drain(app.getHttpServer());
  await app.close();
}
