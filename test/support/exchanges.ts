import type { Response } from 'supertest';
import type { AppService } from './app-service.js';

const MAX_EXCHANGES = 3;
const MAX_CHARACTERS = 2_000;

/** The part of superagent's request that is shown. */
interface SentRequest {
  method: string;
  url: string;
  _data?: object;
}

interface Exchange {
  service: AppService;
  request: string;
  response: string;
  requestId: string;
}

declare global {
  /** Describes the latest requests of the running test, with their responses and log lines. */
  var describeExchanges: (() => Promise<string>) | undefined;
}

let exchanges: Exchange[] = [];

beforeEach(() => {
  exchanges = [];
});

// jest runs the test environment outside the module registry of the tests, so they communicate through a global.
globalThis.describeExchanges = async () => (await Promise.all(exchanges.map(describeExchange))).join('\n');

const shortened = (text = ''): string =>
  text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}... (${text.length} characters)` : text;

export function recordExchange(service: AppService, response: Response): void {
  const { method, url, _data: body } = (response as unknown as { request: SentRequest }).request;
  const exchange = {
    service,
    request: `${method} ${url} ${body === undefined ? '' : shortened(JSON.stringify(body))}`,
    response: `${response.status} ${shortened(response.text)}`,
    requestId: response.headers['x-request-id'],
  };
  exchanges = [...exchanges.slice(1 - MAX_EXCHANGES), exchange];
}

async function describeExchange({ service, request, response, requestId }: Exchange): Promise<string> {
  const lines = await service.logOf(requestId).catch(() => []);
  return [request, `  ${response}`, ...lines.map((line) => `  log ${line.trim()}`)].join('\n');
}
