import type { Person, TestApp } from './test-app.js';

/** Fetches a complete list in a format other than JSON pages; throws if the response was cut off. */
export async function readCompleteList(app: TestApp, person: Person, path: string, type: string): Promise<string> {
  const url = `http://127.0.0.1:${app.port()}${path.startsWith('/api/') ? '' : '/api/v1'}${path}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${person.token}`, accept: type } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} ${response.status} ${text}`);
  const sent = type === 'text/csv' ? `${type}; charset=utf-8` : type;
  if (response.headers.get('content-type') !== sent) throw new Error(`${path} is not ${type}`);
  return text;
}
