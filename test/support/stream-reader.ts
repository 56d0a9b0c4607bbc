import { get, type ClientRequest } from 'node:http';
import type { Person } from './test-app.js';

/** Reads GET /changes/stream and keeps everything that has arrived. */
export class StreamReader<Event = { type: string; entity_id: string; sequence: number }> {
  text = '';
  headers: Record<string, unknown> = {};
  hasEnded = false;
  private readonly request: ClientRequest;
  private onChange: (() => void) | undefined;

  constructor(port: number, { token }: Pick<Person, 'token'>, query: string, headers: Record<string, string> = {}) {
    const authorization = `Bearer ${token}`;
    const path = `/api/v1/changes/stream?${query}`;
    this.request = get({ port, path, headers: { authorization, ...headers } }, (response) => {
      this.headers = response.headers;
      response.setEncoding('utf8').on('data', (text: string) => {
        this.text += text;
        this.notify();
      });
      response.on('close', () => {
        this.hasEnded = true;
        this.notify();
      });
    });
    this.request.on('error', () => undefined);
  }

  get events(): Event[] {
    return [...this.text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json) as Event);
  }

  async until(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) await new Promise<void>((resolve) => (this.onChange = resolve));
  }

  close(): void {
    this.request.destroy();
  }

  private notify(): void {
    this.onChange?.();
  }
}
