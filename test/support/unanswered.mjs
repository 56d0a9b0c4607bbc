import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Statuses that no operation gives of its own: size, form, limits, faults, and what concerns idempotency keys. */
const GENERAL = ['304', '413', '415', '422', '429', '500', '503'];

/** The documented answers that no test of the run whose files are in `directory` has seen. */
export function unansweredOf(directory) {
  const file = `${directory}/document.json`;
  if (!existsSync(file)) return [];
  const notes = readdirSync(directory).filter((name) => name.endsWith('.seen'));
  const seen = new Set(notes.flatMap((name) => readFileSync(`${directory}/${name}`, 'utf8').split('\n')));
  const { paths } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ operationId, responses, 'x-by-key': byKey = [] }) =>
      Object.entries(responses)
        .filter(([status]) => !GENERAL.includes(status) && !byKey.includes(status))
        .flatMap(([status, { 'x-codes': codes }]) => answersOf(operationId, status, codes)),
    )
    .filter((answer) => !seen.has(answer));
}

/** A success is one answer; of a refusal each of its codes is. */
const answersOf = (operationId, status, codes) =>
  Number(status) < 400
    ? [`${operationId} ${status}`]
    : codes.filter((code) => code !== 'request_in_progress').map((code) => `${operationId} ${status} ${code}`);
