import { randomInt } from 'node:crypto';
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canReach } from './account.js';
import { changeOwner, privateDirectory, shortHash, type Home } from './home.js';
import { errorCode } from './processes.js';

/** The address of a server: in a private directory of Unix sockets, or on the loopback interface. */
export interface Endpoint {
  host: string;
  port: number;
  socket: boolean;
}

/** The kernel's limit for the path of a socket, without the terminating zero. */
const MAX_SOCKET_PATH = 107;

/** A Unix socket if supported, else a free port of the loopback interface. */
export async function chooseEndpoint(home: Home): Promise<Endpoint> {
  const directory = process.platform === 'win32' ? undefined : socketDirectory(home);
  // The random number is part of the socket's file name, so that a server that is ending cannot remove a newer socket.
  if (directory) return { host: directory, port: randomInt(10_000, 65_536), socket: true };
  return { host: '127.0.0.1', port: await freePort(), socket: false };
}

/** Writes the access rules, and removes the socket of a killed server. */
export function openEndpoint({ host, port, socket }: Endpoint, home: Home): void {
  const rule = socket ? 'local all all trust' : 'host all all 127.0.0.1/32 scram-sha-256';
  writeFileSync(home.accessRules, `${rule}\n`, { mode: 0o600 });
  changeOwner(home.accessRules, home.account);
  if (!socket) return;
  for (const suffix of ['', '.lock']) rmSync(join(host, `.s.PGSQL.${port}${suffix}`), { force: true });
}

/** Removes the socket directory if it is outside of the data directory. */
export function removeEndpoint(endpoint: Endpoint, home: Home): void {
  if (endpoint.host === temporaryDirectory(home)) rmSync(endpoint.host, { recursive: true, force: true });
}

function socketDirectory(home: Home): string | undefined {
  if (fits(home.socket)) {
    // Removes files of an ended server.
    rmSync(home.socket, { recursive: true, force: true });
    privateDirectory(home.socket, home.account);
    return home.socket;
  }
  const short = temporaryDirectory(home);
  return fits(short) && claim(short, home) ? short : undefined;
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, '.s.PGSQL.65535')) <= MAX_SOCKET_PATH;
}

function temporaryDirectory(home: Home): string {
  return join(tmpdir(), `worksmith-${shortHash(home.directory)}`);
}

/** Creates the directory; false if another user already has a directory of that name in the shared one. */
function claim(directory: string, home: Home): boolean {
  if (!canReach(tmpdir(), home.account)) return false;
  try {
    mkdirSync(directory, { mode: 0o700 });
    changeOwner(directory, home.account);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') return false;
  }
  const { uid, mode } = lstatSync(directory);
  return uid === (home.account?.uid ?? process.getuid?.()) && (mode & 0o170777) === 0o040700;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
