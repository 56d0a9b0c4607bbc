import { createHash, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Settings } from './settings.js';

/** A key that signs or verifies tokens, with the id (`kid`) by which a token names its key. */
export interface SigningKey {
  kid: string;
  key: KeyObject;
}

/** Holds the keys of this installation, which all replicas share. */
export class Secrets {
  private constructor(
    /** The first key signs; all of them verify. */
    readonly signingKeys: readonly SigningKey[],
    private readonly master: Buffer,
  ) {}

  /**
   * Reads the keys from the environment, or for the embedded database from a file in its data folder, which the first
   * start creates.
   */
  static load(settings: Settings, dataDir: string): Secrets {
    const isComplete = settings.JWT_SECRET !== undefined && settings.PEPPER !== undefined;
    const needsFile = settings.DATABASE_URL === undefined && !isComplete;
    const stored = needsFile ? readOrCreate(join(dataDir, 'secrets.json')) : undefined;
    const current = settings.JWT_SECRET ?? stored?.jwt;
    const master = settings.PEPPER ?? stored?.pepper;
    if (current === undefined || master === undefined) throw new Error('JWT_SECRET and PEPPER must be set');
    const keys = [current, settings.JWT_SECRET_PREVIOUS].filter((secret) => secret !== undefined);
    return new Secrets(keys.map(signingKey), Buffer.from(master));
  }

  /**
   * Derives a key for one purpose, so that a value signed for one purpose (a cursor) is invalid for another (a code).
   */
  keyFor(purpose: string): KeyObject {
    return createSecretKey(Buffer.from(hkdfSync('sha256', this.master, '', `worksmith:${purpose}`, 32)));
  }
}

function signingKey(secret: string): SigningKey {
  const kid = createHash('sha256').update(`kid:${secret}`).digest('hex').slice(0, 8);
  return { kid, key: createSecretKey(Buffer.from(secret)) };
}

function readOrCreate(file: string): { jwt: string; pepper: string } {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const secrets = { jwt: randomBytes(32).toString('base64url'), pepper: randomBytes(32).toString('base64url') };
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Renamed when complete, because a half-written file after a kill would invalidate all sessions.
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, JSON.stringify(secrets), { mode: 0o600, flush: true });
  renameSync(unfinished, file);
  return secrets;
}
