import { existsSync, readdirSync } from 'node:fs';
import { matches } from '../../explorer/operation-filter.js';
import { describeOptionalExamples } from '../../explorer/optional-examples.js';
import { TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.open();
});

afterAll(() => app.close());

const fetchFrom = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${app.port()}${path}`, { headers, redirect: 'manual' });

describe('the explorer', () => {
  it('is a page that fits a phone, runs no inline script and loads nothing from other hosts', async () => {
    const response = await fetchFrom('/docs');
    const page = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(page).toContain('<meta name="viewport" content="width=device-width, initial-scale=1" />');
    expect(page).not.toMatch(/<script(?![^>]* src=)/);
    expect(page).not.toMatch(/\b(src|href)="(https?:)?\/\//);
  });

  it('serves each asset of the page, with an ETag that avoids sending it again', async () => {
    const page = await (await fetchFrom('/docs')).text();
    const assets = [...page.matchAll(/(?:src|href)="(docs\/[^"]+|openapi\.\w+)"/g)].map(([, path]) => `/${path}`);
    expect(assets).toEqual(
      expect.arrayContaining(['/docs/swagger-ui-bundle.js', '/docs/explorer.js', '/openapi.json', '/openapi.yaml']),
    );
    for (const path of assets) expect([path, (await fetchFrom(path)).status]).toEqual([path, 200]);
    const { headers } = await fetchFrom('/docs/explorer.js');
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const again = await fetchFrom('/docs/explorer.js', { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('serves every module beside the page, and no other file', async () => {
    expect(existsSync('explorer/index.html')).toBe(true);
    for (const name of readdirSync('explorer').filter((file) => !file.endsWith('.d.ts'))) {
      expect([name, (await fetchFrom(`/docs/${name}`)).status]).toEqual([name, name === 'index.html' ? 404 : 200]);
    }
    for (const path of ['/docs/package.json', '/docs/../package.json', '/docs/%2e%2e/package.json']) {
      expect([path, (await fetchFrom(path)).status]).toEqual([path, 404]);
    }
  });

  it('is redirected from the path with a trailing slash', async () => {
    const response = await fetchFrom('/docs/');
    expect([response.status, response.headers.get('location')]).toEqual([301, '../docs']);
  });

  it('explains how to get a token, in the introduction and in the Authorize dialog', () => {
    const { info, components } = app.document;
    const schemes = (components?.securitySchemes ?? {}) as Record<string, { description: string }>;
    for (const text of [info.description, schemes.bearer.description])
      expect(text).toContain('POST /api/v1/auth/login');
  });

  it('shows registration before invitations, and the operations in the order of their tags', () => {
    const tags = (app.document.tags ?? []).map(({ name }) => name);
    const operations = Object.entries(app.document.paths).map(([path, item]) => {
      const [operation] = Object.values(item as Record<string, { tags: string[] }>);
      return { path, tag: operation.tags[0] };
    });
    expect([...new Set(operations.map(({ tag }) => tag))]).toEqual(tags);
    const auth = operations.filter(({ tag }) => tag === 'Auth').map(({ path }) => path);
    expect(auth.slice(0, 2)).toEqual(['/api/v1/auth/register', '/api/v1/auth/verify']);
    const firstInvitation = auth.findIndex((path) => path.includes('/invitations'));
    expect(auth.slice(firstInvitation).every((path) => path.includes('/invitations'))).toBe(true);
  });
});

describe('the filter of the explorer', () => {
  it('requires every word, in any order and case', () => {
    const text = 'Tasks\npost\n/api/v1/tasks/{id}/dod-override\ntask_dod_override\nOverride DoD for task';
    for (const phrase of ['override', 'OVERRIDE dod', 'post /api/v1/tasks', 'tasks override', ' dod ']) {
      expect([phrase, matches(text, phrase)]).toEqual([phrase, true]);
    }
    expect(matches(text, 'override demand')).toBe(false);
  });
});

describe('the values that the explorer fills in', () => {
  it('are the examples of required parameters; those of optional ones are in the description', () => {
    const string = { type: 'string' };
    const id = { name: 'id', in: 'path', required: true, schema: string, example: 'tsk_1' };
    const key = { name: 'Idempotency-Key', in: 'header', description: 'Once.', schema: string, example: 'a1' };
    const document = {
      paths: { '/tasks/{id}': { get: { parameters: [id, { $ref: '#/components/parameters/Search' }] }, post: {} } },
      components: { parameters: { Key: key, Search: { name: 'search', schema: { ...string, examples: ['gate'] } } } },
    };
    expect(describeOptionalExamples(structuredClone(document))).toEqual({
      paths: document.paths,
      components: {
        parameters: {
          Key: { name: 'Idempotency-Key', in: 'header', description: 'Once. Example: `a1`', schema: string },
          Search: { name: 'search', description: 'Example: `gate`', schema: string },
        },
      },
    });
  });
});
