import type { Person, TestApp } from './test-app.js';

/** The query parameters that paths without path parameters require; `q` is the word that is looked for. */
const queries = (word: string): Record<string, string> => ({
  '/api/v1/search': `?q=${word}`,
  '/api/v1/auth/can': '?action=tasks_list',
  '/api/v1/changes': '?after=0&limit=200',
});

/** Reads every path without path parameters as that person, and returns those whose response contains the word. */
export async function canaryReads(app: TestApp, person: Person, word: string): Promise<string[]> {
  const paths = Object.entries(app.document.paths).filter(
    ([path, { get }]) =>
      get !== undefined && path.startsWith('/api/') && !path.includes('{') && !path.endsWith('/stream'),
  );
  expect(paths.length).toBeGreaterThan(30);
  const telling: string[] = [];
  for (const [path] of paths) {
    const { text } = await app.as(person).get(`${path}${queries(word)[path] ?? ''}`);
    if (text.includes(word)) telling.push(path);
  }
  return telling;
}
