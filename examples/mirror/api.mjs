import { setTimeout as sleep } from 'node:timers/promises';
import { KINDS } from './copy.mjs';

const LONGEST_PAUSE_MS = 30_000;

/** The position in the feed is older than what the service keeps. */
export class GoneError extends Error {}

/** Reads from the service; waits while it is unavailable or limits requests. */
export class Api {
  constructor(address, token) {
    this.address = address.replace(/\/$/, '');
    this.headers = { authorization: `Bearer ${token}` };
  }

  async get(path) {
    for (let pause = 500; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const response = await fetch(this.address + path, { headers: this.headers }).catch((error) => error);
      if (response.ok) return await response.json();
      const { status } = response;
      if (status === 410) throw new GoneError();
      if (status !== undefined && status !== 429 && status < 500) {
        throw new Error(`${path}: ${status} ${await response.text()}`);
      }
      const seconds = Number(response.headers?.get('retry-after') ?? 0);
      await sleep(Math.max(seconds * 1_000, pause));
    }
  }

  /** Every entity of the kind with the copied properties, including entities in archived containers. */
  async *list(kind, filter) {
    const fields = KINDS[kind].join(',');
    const path = `/${kind}s?limit=200&count=false&archived=any&sort=created_at&fields=${fields}${filter}`;
    for (let cursor = ''; cursor !== null;) {
      const { data, meta } = await this.get(cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`);
      yield* data;
      cursor = meta.next_cursor;
    }
  }
}
