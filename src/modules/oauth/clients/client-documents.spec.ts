import { Logger } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import type { RequestContext } from '../../../platform/context/request-context.js';
import type { ProviderRequests } from '../../identity-providers/protocol/provider-requests.js';
import { ClientDocuments, DocumentUnreachable } from './client-documents.js';
import { freshFor } from './client-document.rules.js';
import { InvalidMetadata } from './client-metadata.rules.js';

const ID = 'https://app.example.com/client';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const documentOf = (id: string, more: object = {}): Response =>
  new Response(JSON.stringify({ client_id: id, redirect_uris: ['https://app.example.com/callback'], ...more }), {
    headers: { 'content-type': 'application/json' },
  });

/** Documents from a server that the test plays, at a time that the test sets. */
function playing() {
  const asked: string[] = [];
  const server = { answer: (id: string): Response => documentOf(id) };
  const providers: Pick<ProviderRequests, 'fetch'> = {
    fetch: (id) => {
      asked.push(id);
      return Promise.resolve().then(() => server.answer(id));
    },
  };
  // Each request comes from another address, so that no limit is reached.
  const context: Pick<RequestContext, 'clientNetwork'> = {
    get clientNetwork() {
      return String(asked.length);
    },
  };
  const documents = new ClientDocuments(context as RequestContext, providers as ProviderRequests, new Settings());
  return { asked, documents, server };
}

describe('the documents of programs', () => {
  const begin = Date.parse('2026-11-01T12:00:00Z');
  const pass = (ms: number) => jest.setSystemTime(Date.now() + ms);

  // The tests expect the warnings.
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => jest.useFakeTimers({ now: begin, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  it('are read again after a minute', async () => {
    const { asked, documents, server } = playing();
    expect(await documents.find(ID)).toMatchObject({ name: null });
    pass(MINUTE_MS - 1);
    await documents.find(ID);
    expect(asked).toEqual([ID]);
    pass(1);
    server.answer = (id) => documentOf(id, { client_name: 'Renamed' });
    expect(await documents.find(ID)).toMatchObject({ name: 'Renamed' });
    expect(asked).toEqual([ID, ID]);
  });

  it('count for a day while their server does not answer, and are asked for every ten seconds', async () => {
    const { asked, documents, server } = playing();
    await documents.find(ID);
    server.answer = () => new Response(null, { status: 503 });
    pass(MINUTE_MS);
    await documents.find(ID);
    await documents.find(ID);
    expect(asked).toHaveLength(2);
    pass(10_000);
    await documents.find(ID);
    expect(asked).toHaveLength(3);
    pass(DAY_MS);
    await expect(documents.find(ID)).rejects.toThrow(DocumentUnreachable);
  });

  it('count no more as soon as they are gone or not valid', async () => {
    const { documents, server } = playing();
    await documents.find(ID);
    pass(MINUTE_MS);
    server.answer = () => new Response(null, { status: 404 });
    await expect(documents.find(ID)).rejects.toThrow(InvalidMetadata);
    pass(10_000);
    server.answer = (id) => documentOf(id, { redirect_uris: ['http://app.example.com/'] });
    await expect(documents.find(ID)).rejects.toThrow(InvalidMetadata);
    pass(10_000);
    server.answer = (id) => documentOf(id);
    expect(await documents.find(ID)).toMatchObject({ name: null });
  });

  it('are kept for five hundred programs, those that were asked for last', async () => {
    const { asked, documents } = playing();
    const idOf = (turn: number) => `https://app.example.com/client/${turn}`;
    for (let turn = 0; turn < 500; turn += 1) await documents.find(idOf(turn));
    await documents.find(idOf(0));
    await documents.find(idOf(500));
    await documents.find(idOf(0));
    expect(asked).toHaveLength(501);
    await documents.find(idOf(1));
    expect(asked).toHaveLength(502);
  });

  it.each([
    [null, 60],
    ['no-store', 60],
    ['max-age=0', 60],
    ['public, max-age=600', 600],
    ['max-age=999999999', 3_600],
  ])('count for what %s says, from a minute to an hour', (header, seconds) => {
    expect(freshFor(header)).toBe(seconds * 1_000);
  });
});
