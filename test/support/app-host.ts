import 'reflect-metadata';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { StartOptions } from './app-service.js';
import { RunningApp } from './running-app.js';

// The channel closes when the test run ends, even if it is killed; it may have closed while the sources were loaded.
process.once('disconnect', () => process.exit());
if (!process.connected) process.exit();

/**
 * Runs the service for the test files of one jest worker. This process loads the sources once, which would take seconds
 * in every test file. Test files start and stop instances through {@link RemoteApp}.
 */
const apps = new Map<number, RunningApp>();
let lastId = 0;

/** A request of a test file: to start an instance, or to call a method of a running one. */
export interface HostCall {
  app?: number;
  method: string;
  arguments: unknown[];
}

async function start(options: StartOptions): Promise<object> {
  const app = await RunningApp.start(options);
  lastId += 1;
  apps.set(lastId, app);
  const { ports, connection, dataDir } = app;
  return { id: lastId, ports, connection, dataDir };
}

async function resultOf(request: IncomingMessage): Promise<unknown> {
  const call = (await json(request)) as HostCall;
  if (call.app === undefined) return start(call.arguments[0] as StartOptions);
  const app = apps.get(call.app);
  if (app === undefined) throw new Error(`no instance ${call.app} of the service runs here`);
  if (call.method === 'stop') apps.delete(call.app);
  const method = Reflect.get(app, call.method) as (...values: unknown[]) => unknown;
  return method.apply(app, call.arguments);
}

const server = createServer((request, response) => {
  resultOf(request).then(
    (result) => response.end(JSON.stringify({ result })),
    (error: Error) => response.end(JSON.stringify({ error: error.stack ?? error.message })),
  );
});
// A long test file may send nothing for longer than any timeout.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
