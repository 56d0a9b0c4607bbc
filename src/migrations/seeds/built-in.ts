import type { QueryRunner } from 'typeorm';

/** Built-in entities have the same ids in every installation: the prefix, a zero timestamp, and a number. */
export const builtInId = (prefix: string, number: number): string =>
  `${prefix}_00000000000070008000${number.toString(16).padStart(12, '0')}`;

/** Built-in entities are as old as the first migration, so that everything that users create is newer. */
export const BUILT_IN_AT = 'to_timestamp(1763700000)';

/** Makes built-in entities visible to all signed-in users. */
export async function placeBuiltIn(runner: QueryRunner, id: string, kind: string, title: string): Promise<void> {
  await runner.query('INSERT INTO entities (id, kind, is_global, title) VALUES ($1, $2, true, $3)', [id, kind, title]);
}
