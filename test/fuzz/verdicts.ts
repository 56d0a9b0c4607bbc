import { Logger } from '@nestjs/common';
import type { Contract } from '../support/contract.js';
import type { HttpResponse, Sent } from './client.js';

export type FailureKind = 'server error' | 'outside the document' | 'validator gap' | 'no answer' | 'broken invariant';

/** A response, or a result of the background work, that is wrong. */
export interface Failure {
  kind: FailureKind;
  operation: string;
  /** The failure without the parts that differ between requests. */
  summary: string;
  details: string;
}

/** Collects the errors that the service logs, by request. */
export class LoggedErrors {
  private readonly logged = new Map<string, { isGap: boolean; error: unknown }>();

  constructor() {
    const collect =
      (isGap: boolean) =>
      (message: unknown, error: unknown): void => {
        const text = String(message);
        if (!isGap || text.includes('validator_gap')) this.logged.set(text.split(' ')[0], { isGap, error });
      };
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(collect(true));
    jest.spyOn(Logger.prototype, 'error').mockImplementation(collect(false));
  }

  /** Removes and returns the errors that have not been taken. */
  takeAll(): string[] {
    const errors = [...this.logged].map(([request, { error }]) => `${request}\n${describe(error)}`);
    this.logged.clear();
    return errors;
  }

  /** Removes and returns the error of that request. */
  take(requestId: string): { isGap: boolean; error: unknown } | undefined {
    const found = this.logged.get(requestId);
    this.logged.delete(requestId);
    return found;
  }
}

/** Checks a response against everything that must hold for every response. */
export function failureOf(
  sent: Sent,
  response: HttpResponse,
  contract: Contract,
  loggedErrors: LoggedErrors,
): Failure | undefined {
  const { status, headers, text } = response;
  const logged = loggedErrors.take(String(headers['x-request-id']));
  const fail = (kind: FailureKind, summary: string, details: string): Failure => ({
    kind,
    operation: sent.operation,
    summary,
    details,
  });
  if (status >= 500) return fail('server error', String(status), `${text}\n${describe(logged?.error)}`);
  if (logged?.isGap === true) return fail('validator gap', codeOf(logged.error), describe(logged.error));
  // A path that cannot be decoded belongs to no operation.
  if (status === 404 && !isDecodable(sent.path)) return undefined;
  try {
    const contentType = headers['content-type'] ?? '';
    const names = Object.keys(headers);
    contract.check({ method: sent.method.toLowerCase(), path: sent.path, status, contentType, headers: names, text });
  } catch (error) {
    const { message } = error as Error;
    return fail('outside the document', message.split('\n')[0].replaceAll(/[0-9a-f]{32}|: \{.*/g, ''), message);
  }
  return undefined;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const codeOf = (error: unknown): string => {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string };
  return [code, constraint].filter(Boolean).join(' ');
};

function describe(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { query, parameters } = error as { query?: string; parameters?: unknown[] };
  return [error.stack, query, parameters && JSON.stringify(parameters).slice(0, 2_000)].filter(Boolean).join('\n');
}
