import { existsSync, readdirSync } from 'node:fs';
import { TOKEN_SCOPES } from '../../src/access/permissions/token-scope.js';
import { languageOf, programName, programText, scopeText, TEXTS } from '../../explorer/consent-texts.js';
import { exampleOf, groupsOf, matches, typeOf } from '../../explorer/document.js';
import { listsOf, prefixesIn, withOwnIds } from '../../explorer/own-things.js';
import { TestApp } from '../support/test-app.js';

interface Body {
  content: Record<string, { example: object }>;
}

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
      expect.arrayContaining(['/docs/explorer.css', '/docs/explorer.js', '/openapi.json', '/openapi.yaml']),
    );
    for (const path of assets) expect([path, (await fetchFrom(path)).status]).toEqual([path, 200]);
    const { headers } = await fetchFrom('/docs/explorer.js');
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const again = await fetchFrom('/docs/explorer.js', { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('has a page for people whom an identity provider sends back, without scripts of its own', async () => {
    const response = await fetchFrom('/auth/callback/idp_0123456789abcdef0123456789abcdef?code=secret-code&state=x');
    const page = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page).not.toContain('secret-code');
    expect(page).not.toMatch(/<script(?![^>]* src="\.\.\/\.\.\/docs\/callback\.js")/);
    expect(page).not.toMatch(/\b(src|href)="(https?:)?\/\//);
  });

  it('serves every module beside the page, and no other file', async () => {
    expect(existsSync('explorer/index.html')).toBe(true);
    for (const name of readdirSync('explorer').filter((file) => !file.endsWith('.d.ts'))) {
      const isPage = name.endsWith('.html');
      expect([name, (await fetchFrom(`/docs/${name}`)).status]).toEqual([name, isPage ? 404 : 200]);
    }
    for (const path of ['/docs/package.json', '/docs/../package.json', '/docs/%2e%2e/package.json']) {
      expect([path, (await fetchFrom(path)).status]).toEqual([path, 404]);
    }
  });

  it('is redirected from the path with a trailing slash', async () => {
    const response = await fetchFrom('/docs/');
    expect([response.status, response.headers.get('location')]).toEqual([301, '../docs']);
  });

  it('explains how to get a token, in the introduction and in the security scheme', () => {
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

const ID = `tsk_${'a'.repeat(32)}`;

describe('the filter of the explorer', () => {
  it('requires every word, in any order and case', () => {
    const text = 'Tasks\npost\n/api/v1/tasks/{id}/dod-override\ntasks_dod_override_set\nOverride DoD for task';
    for (const phrase of ['override', 'OVERRIDE dod', 'post /api/v1/tasks', 'tasks override', ' dod ']) {
      expect([phrase, matches(text, phrase)]).toEqual([phrase, true]);
    }
    expect(matches(text, 'override demand')).toBe(false);
  });
});

describe('what the explorer shows and fills in', () => {
  let raw: object;

  beforeAll(async () => {
    raw = await app.service.document();
  });

  it('every operation has its group, in the order of the document', () => {
    const shown = groupsOf(raw).flatMap(({ operations }) => operations.map(({ method, path }) => `${method} ${path}`));
    const all = Object.entries(app.document.paths).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method} ${path}`),
    );
    expect(shown).toEqual(all);
  });

  it('examples of responses are put together from the components', () => {
    const task = exampleOf(raw, { $ref: '#/components/schemas/TaskPage' }) as { data: { title: string }[] };
    expect(task.data[0].title).toBe('Paint the garden gate');
    expect(typeOf({ type: 'array', items: { $ref: '#/components/schemas/Task' } })).toBe('array of Task');
  });

  it('ids in examples are replaced by own ones, of every kind that a list has', () => {
    const lists = listsOf(raw);
    for (const [prefix, path] of [
      ['tsk', '/api/v1/tasks'],
      ['edv', '/api/v1/endeavours'],
      ['org', '/api/v1/organizations'],
      ['dmd', '/api/v1/demands'],
      ['rtl', '/api/v1/rituals'],
      ['cmt', '/api/v1/comments'],
    ]) {
      expect([prefix, lists.get(prefix)?.path]).toEqual([prefix, path]);
    }
    const text = `{"id": "${ID}", "endeavour_id": "edv_${'b'.repeat(32)}"}`;
    expect(prefixesIn(text)).toEqual(['tsk', 'edv']);
    expect(withOwnIds(text, { tsk: 'tsk_mine' })).toBe(`{"id": "tsk_mine", "endeavour_id": "edv_${'b'.repeat(32)}"}`);
  });

  it('what is filled in for a new task and its change works, once its ids are those of own things', async () => {
    const ann = await app.person('Ann');
    const garden = await app.endeavour(ann);
    const ids: Record<string, string> = { edv: garden, tsk: await app.task(ann, garden) };
    const bodyOf = (path: string, method: 'post' | 'patch'): object => {
      const { requestBody } = (app.document.paths[path] as Record<string, { requestBody: Body }>)[method];
      return JSON.parse(withOwnIds(JSON.stringify(requestBody.content['application/json'].example), ids)) as object;
    };
    await app.as(ann).post('/tasks').send(bodyOf('/api/v1/tasks', 'post')).expect(201);
    await app.as(ann).patch(`/tasks/${ids.tsk}`).send(bodyOf('/api/v1/tasks/{id}', 'patch')).expect(200);
  });

  it('links of the page lead to operations that exist', async () => {
    const page = await (await fetchFrom('/docs')).text();
    const script = await (await fetchFrom('/docs/explorer.js')).text();
    const ids = Object.values(app.document.paths).flatMap((item) =>
      Object.values(item as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
    );
    const linked = [...page.matchAll(/href="#\/\w+\/(\w+)"/g)].map(([, id]) => id);
    const first = /FIRST_STEPS = \[([^\]]+)\]/.exec(script)?.[1].match(/\w+/g) ?? [];
    expect(first).toHaveLength(6);
    expect([...linked, ...first].filter((id) => !ids.includes(id))).toEqual([]);
    expect(linked).toContain('auth_register');
  });
});

describe('the page for consent', () => {
  it('speaks the languages of the mails, each with all texts and a text for each scope', () => {
    expect(Object.keys(TEXTS)).toEqual(['en', 'de', 'fr', 'es']);
    const shapeOf = (texts: object) => Object.entries(texts).map(([name, text]) => `${name} ${typeof text}`);
    for (const texts of Object.values(TEXTS)) {
      expect(shapeOf(texts)).toEqual(shapeOf(TEXTS.en));
      expect(shapeOf(texts.areas)).toEqual(shapeOf(TEXTS.en.areas));
      const scopes = TOKEN_SCOPES.filter((scope) => scope !== '*').map((scope) => scopeText(scope, texts));
      expect(new Set(scopes).size).toBe(TOKEN_SCOPES.length - 1);
      expect(scopes.join()).not.toContain('undefined');
    }
    expect(['de-AT', 'pt', 'fr'].map((tag) => languageOf([tag]))).toEqual(['de', 'en', 'fr']);
    expect(languageOf(['pt-BR', 'es-MX'])).toBe('es');
  });

  it('names a program by the host of its document, because it chooses its name itself', () => {
    const document = {
      client_id: 'https://app.example.com/client',
      client_name: 'Worksmith',
      client_source: 'metadata',
      client_host: 'app.example.com',
      redirect_host: '127.0.0.1:51004',
      resource: 'mcp',
    };
    const registered = { ...document, client_id: 'cli_1', client_host: null, resource: 'api' };
    expect([document, registered].map(programName)).toEqual(['app.example.com', 'Worksmith']);
    for (const texts of Object.values(TEXTS)) {
      const text = programText(document, texts);
      expect(text).toContain('Worksmith');
      expect(text).toContain(document.client_id);
      expect(text).toContain('127.0.0.1:51004');
      expect(text).toContain(String(texts.toTools));
      for (const client_source of ['built_in', 'administrator', 'token', 'open']) {
        const other = programText({ ...registered, client_source, redirect_host: null }, texts);
        expect(other).toContain('cli_1');
        expect(other).not.toMatch(/undefined|null|127/);
        expect(other).not.toContain(String(texts.toTools));
      }
    }
  });

  it('fits a phone, and every text that its marks name exists', async () => {
    const page = await (await fetchFrom('/oauth/consent/device')).text();
    expect(page).toContain('<meta name="viewport" content="width=device-width, initial-scale=1" />');
    const named = [...page.matchAll(/data-text="(\w+)"/g)].map(([, name]) => name);
    expect(named.filter((name) => !(name in TEXTS.en))).toEqual([]);
    for (const [, path] of page.matchAll(/(?:src|href)="\.\.\/\.\.(\/docs\/[^"]+)"/g)) {
      expect([path, (await fetchFrom(path)).status]).toEqual([path, 200]);
    }
  });
});
