import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Settings } from '../config/settings.js';
import { Readiness } from '../health/readiness.js';
import { drain } from './drain.js';
import { StartError } from '../../common/start-error.js';

/** Requests, and as many streams beside them. What is beyond is hung up on at once; those inside get on with their work. */
const MOST_CONNECTIONS = 4_000;

/** Opens the port. */
export async function listen(app: NestFastifyApplication, { HOST, PORT }: Settings): Promise<void> {
  const server: Server = app.getHttpServer();
  server.maxConnections = MOST_CONNECTIONS;
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

/** Readiness off, time for proxies to notice, requests in flight, workers, connection pool: in this order. */
export async function stopServing(app: NestFastifyApplication, drainMs: number): Promise<void> {
  app.get(Readiness).leave();
  await sleep(drainMs);
  await drain(app.getHttpServer());
  await app.close();
}
