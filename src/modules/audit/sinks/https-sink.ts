import { SINK_TIMEOUT_MS, type AuditSink, type SealedEntry } from './audit-sink.js';

const LINES = 'application/x-ndjson';

/** Posts entries as lines of JSON; a receiver has taken them if it answers with 2xx. */
export class HttpsSink implements AuditSink {
  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  async send(entries: readonly SealedEntry[]): Promise<void> {
    const status = await this.post(entries.map(({ line }) => `${line}\n`).join(''));
    if (status < 200 || status > 299) throw new Error(`status ${status}`);
  }

  private async post(body: string): Promise<number> {
    try {
      const headers = { ...this.headers, 'content-type': LINES };
      const signal = AbortSignal.timeout(SINK_TIMEOUT_MS);
      const response = await fetch(this.url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      await response.body?.cancel();
      return response.status;
    } catch (error) {
      // The messages can contain the address, whose path can be a secret.
      const { cause, name } = error as { cause?: { code?: string }; name?: string };
      throw new Error(cause?.code ?? name ?? 'no connection', { cause: error });
    }
  }
}
