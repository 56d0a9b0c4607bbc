import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';

interface Documented {
  operationId: string;
  responses: Record<string, { description: string }>;
}

/** Statuses that no operation gives of its own: size, form, limits, faults, and what concerns idempotency keys. */
const GENERAL = ['304', '413', '415', '422', '429', '500', '503'];
const BY_KEY = /^(request_in_progress|not_found, for a repetition.*)$/;

/** Stops PostgreSQL; after a run of everything, also fails where a documented answer was never given. */
export default async function tearDown(run: { testPathPatterns: { patterns: string[] } }): Promise<void> {
  await stopPostgres();
  const directory = process.env.CONTRACT_DIR ?? '';
  const unseen = neverSeen(directory);
  rmSync(directory, { recursive: true, force: true });
  const isWhole = run.testPathPatterns.patterns.length === 0;
  if (isWhole && unseen.length > 0) {
    throw new Error(`documented, but never answered by any test:\n  ${unseen.join('\n  ')}`);
  }
}

async function stopPostgres(): Promise<void> {
  const child = globalThis.testPostgres;
  if (child === undefined || child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.disconnect();
  await gone;
}

function neverSeen(directory: string): string[] {
  const file = `${directory}/document.json`;
  if (!existsSync(file)) return [];
  const notes = readdirSync(directory).filter((name) => name.endsWith('.seen'));
  const seen = new Set(notes.flatMap((name) => readFileSync(`${directory}/${name}`, 'utf8').split('\n')));
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, Record<string, Documented>> };
  return Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status, { description }]) => !GENERAL.includes(status) && !BY_KEY.test(description))
        .flatMap(([status, { description }]) => answersOf(operationId, status, description)),
    )
    .filter((answer) => !seen.has(answer));
}

/** A success is one answer; of a refusal each of its codes is. */
const answersOf = (operationId: string, status: string, description: string): string[] =>
  Number(status) < 400
    ? [`${operationId} ${status}`]
    : description.split(', ').map((code) => `${operationId} ${status} ${code}`);
