import { createHash } from 'node:crypto';
import type { Test } from 'supertest';
import type { Person, TestApp } from './test-app.js';

/** An address at a store, as the service gives it. */
export interface Address {
  url: string;
  method: string;
  headers: Record<string, string>;
  expires_at: string;
}

/** What is announced of a file with this content. */
export const announced = (content: string): { length: number; sha256: string } => ({
  length: Buffer.byteLength(content),
  sha256: createHash('sha256').update(content).digest('hex'),
});

/** Sends a request to create an artifact for a file with this content. */
export const createFile = (app: TestApp, person: Person, content: string, more: object = {}): Test =>
  app
    .as(person)
    .post('/artifacts')
    .send({ kind: 'file', title: 'Plan.txt', upload: announced(content), ...more });

/** The key of the file of an artifact, which no client sees. */
export async function keyOf(app: TestApp, id: string): Promise<string | undefined> {
  const row = await app.database.one<{ key: string }>(`SELECT file->>'key' AS key FROM artifacts WHERE id = $1`, [id]);
  return row?.key;
}

/** Lets the upload of an artifact have begun that long ago. */
export const beginAt = (app: TestApp, id: string, ago: string) =>
  app.database.query(
    `UPDATE artifacts SET file = file || jsonb_build_object('begun_at',
       to_char((now() - $2::interval) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) WHERE id = $1`,
    [id, ago],
  );

const setDue = (app: TestApp, name: string | null) =>
  app.database.query(
    `UPDATE jobs SET due_at = CASE name WHEN $1 THEN '2000-01-01' ELSE clock_timestamp() + interval '1 day' END`,
    [name],
  );

/** Ends the first runs of the recurring jobs, and lets none begin by itself from then on. */
export async function parkJobs(app: TestApp): Promise<void> {
  await app.service.runJobs();
  await setDue(app, null);
}

/** Runs a recurring job now, and only that one. */
export async function runJob(app: TestApp, name: string): Promise<void> {
  await setDue(app, name);
  await parkJobs(app);
}

/** Sends a file to its address with these headers; returns the status. */
export async function send({ url, method, headers }: Address, content: string, more: object = {}): Promise<number> {
  // The length is that of what is sent.
  const { 'content-length': _length, ...others } = headers;
  const response = await fetch(url, { method, headers: { ...others, ...more }, body: content });
  await response.body?.cancel();
  return response.status;
}
