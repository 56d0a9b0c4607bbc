import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns a timestamp after those of all migrations, which run in that order. */
export function nextTimestamp(root) {
  const taken = readdirSync(join(root, 'src/migrations')).map((name) => Number.parseInt(name, 10));
  return Math.max(...taken.filter((time) => !Number.isNaN(time))) + 10;
}
