import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Statuses of the platform rather than of an operation: size, format, limits, failures and idempotency keys. */
const GENERAL = ['304', '413', '415', '422', '429', '500', '503'];

/** Returns the documented responses that no test of a run produced; `directory` contains the files of the run. */
export function untestedResponses(directory) {
  const file = `${directory}/document.json`;
  if (!existsSync(file)) return [];
  const notes = readdirSync(directory).filter((name) => name.endsWith('.seen'));
  const seen = new Set(notes.flatMap((name) => readFileSync(`${directory}/${name}`, 'utf8').split('\n')));
  const { paths } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(paths)
    .flatMap(([path, operations]) => Object.values(operations).map((operation) => ({ path, ...operation })))
    .flatMap(({ path, operationId, parameters, responses }) =>
      Object.entries(responses)
        .filter(([status]) => !GENERAL.includes(status) && !(status === '404' && isOfKey(path, parameters)))
        .flatMap(([status, { content }]) => answersOf(operationId, status, codesOf(content))),
    )
    .filter((answer) => !seen.has(answer));
}

/** Without an id in the path, only a repetition under an `Idempotency-Key` is 404. */
const isOfKey = (path, parameters) => !path.includes('{') && parameters.some(({ name }) => name === 'Idempotency-Key');

/** An error has one example for each of its codes. */
const codesOf = (content) => Object.keys(content?.['application/json']?.examples ?? {});

/** A success counts as one response, an error as one response for each of its codes. */
const answersOf = (operationId, status, codes) =>
  Number(status) < 400
    ? [`${operationId} ${status}`]
    : codes.filter((code) => code !== 'request_in_progress').map((code) => `${operationId} ${status} ${code}`);
