import { load } from 'js-yaml';
import { TestApp } from '../support/test-app.js';

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await TestApp.open();
  url = `http://127.0.0.1:${app.port()}`;
});
afterAll(() => app.close());

it('the document is the same for concurrent requests and in both formats', async () => {
  const asked = await Promise.all(['json', 'yaml', 'json', 'yaml'].map((form) => fetch(`${url}/openapi.${form}`)));
  expect(asked.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
    [200, 'application/json'],
    [200, 'text/yaml; charset=utf-8'],
    [200, 'application/json'],
    [200, 'text/yaml; charset=utf-8'],
  ]);
  const [json, yaml, otherJson, otherYaml] = await Promise.all(asked.map((response) => response.text()));
  expect([otherJson, otherYaml]).toEqual([json, yaml]);
  expect(load(yaml)).toEqual(JSON.parse(json));
});

it.each(['/openapi.json', '/openapi.yaml'])('%s is not sent again to a client that has it', async (path) => {
  const { headers } = await fetch(`${url}${path}`);
  const again = await fetch(`${url}${path}`, { headers: { 'If-None-Match': headers.get('etag') ?? '' } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

it('the document has every operation of a path, even if several modules serve it', () => {
  expect(Object.keys(app.document.paths['/api/v1/users/{id}'])).toEqual(['get', 'patch', 'delete']);
});
