import { TestApp, type Person } from '../support/test-app.js';

describe('reports as HTML pages', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann');
    garden = await app.endeavour(ann, { name: 'Garden <b>&', lang: 'de' });
  });

  afterAll(() => app.close());

  const get = (path: string, accept: string) => app.as(ann).get(path).set('Accept', accept);

  const made = async (scope: string, body: string): Promise<string> => {
    const response = await app.as(ann).post('/templates').send({ name: 'Own', scope, body }).expect(201);
    return response.body.data.id;
  };

  it('are in the language of their template, and load no external content', async () => {
    await app.task(ann, garden, { title: 'Dig | <script>alert(1)</script>' });
    const { text, headers } = await get(`/reports/endeavour/${garden}`, 'text/html').expect(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toMatch(/^<!doctype html>\n<html lang="de">/);
    expect(text).toContain('<title>Vorhabenbericht: Garden &lt;b&gt;&amp;</title>');
    expect(text).toContain('<h1>Garden &lt;b&gt;&amp;</h1>');
    expect(text).toContain('name="viewport"');
    expect(text).toContain('prefers-color-scheme: dark');
    expect(text).not.toMatch(/<script|<img|<link|@import|url\(|src=|onerror=/);
  });

  it('escape values', async () => {
    const task = await app.task(ann, garden, { title: '<img src=x onerror=alert(1)> [x](javascript:alert(1))' });
    const template = await made('task', '# {{ task.title }}\n\n{{ task.title | raw }}\n\n<style>x</style>');
    const { text } = await get(`/reports/task/${task}?template_id=${template}`, 'text/html').expect(200);
    expect(text).not.toMatch(/<img|<a |<style>x/);
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(text).toContain('&lt;style&gt;x&lt;/style&gt;');
  });

  it('are returned if the client prefers HTML to JSON', async () => {
    const path = `/reports/endeavour/${garden}`;
    const typeOf = async (accept: string) => (await get(path, accept).expect(200)).headers['content-type'];
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    expect(await typeOf(browser)).toBe('text/html; charset=utf-8');
    for (const accept of ['*/*', 'application/json', 'application/json, text/html', 'text/html;q=0.5, */*']) {
      expect([accept, await typeOf(accept)]).toEqual([accept, 'application/json']);
    }
  });

  it('return errors as JSON', async () => {
    const eve = await app.person('Eve');
    const { body } = await app.as(eve).get(`/reports/endeavour/${garden}`).set('Accept', 'text/html').expect(404);
    expect(body.error.code).toBe('not_found');
    const template = await made('endeavour', '{{ endeavour.name | number: "no language" }}');
    await get(`/reports/endeavour/${garden}?template_id=${template}`, 'text/html').expect(200);
    const endless = await made(
      'endeavour',
      '{% for i in (1..900000) %}{% for j in (1..900000) %}{% endfor %}{% endfor %}',
    );
    const refused = await get(`/reports/endeavour/${garden}?template_id=${endless}`, 'text/html').expect(400);
    expect(refused.body.error.details.fields[0]).toMatchObject({ field: 'template_id', code: 'invalid_format' });
  });
});
