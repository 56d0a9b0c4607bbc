import { Logger } from '@nestjs/common';
import type { Contract } from '../support/contract.js';
import type { Answer, Sent } from './client.js';

export type Fault = 'server error' | 'outside the document' | 'validator gap' | 'no answer' | 'broken invariant';

/** What is wrong with an answer. */
export interface Complaint {
  fault: Fault;
  operation: string;
  /** What it is, without what differs from request to request. */
  about: string;
  /** All there is to know. */
  details: string;
}

/** Hears what the service says of its own faults, by request. */
export class Ear {
  private readonly heard = new Map<string, { isGap: boolean; error: unknown }>();

  constructor() {
    const hear =
      (isGap: boolean) =>
      (message: unknown, error: unknown): void => {
        const text = String(message);
        if (!isGap || text.includes('validator_gap')) this.heard.set(text.split(' ')[0], { isGap, error });
      };
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(hear(true));
    jest.spyOn(Logger.prototype, 'error').mockImplementation(hear(false));
  }

  /** What was said about anything else. */
  takeAll(): string[] {
    const said = [...this.heard].map(([about, { error }]) => `${about}\n${describe(error)}`);
    this.heard.clear();
    return said;
  }

  /** What was said about that request; it is then forgotten. */
  take(requestId: string): { isGap: boolean; error: unknown } | undefined {
    const found = this.heard.get(requestId);
    this.heard.delete(requestId);
    return found;
  }
}

/** Holds an answer to everything that must be true of every answer. */
export function complaintOf(sent: Sent, answer: Answer, contract: Contract, ear: Ear): Complaint | undefined {
  const { status, headers, text } = answer;
  const heard = ear.take(String(headers['x-request-id']));
  const complain = (fault: Fault, about: string, details: string): Complaint => ({
    fault,
    operation: sent.operation,
    about,
    details,
  });
  if (status >= 500) return complain('server error', String(status), `${text}\n${describe(heard?.error)}`);
  if (heard?.isGap === true) return complain('validator gap', codeOf(heard.error), describe(heard.error));
  // A path that cannot be decoded is that of no operation.
  if (status === 404 && !isDecodable(sent.path)) return undefined;
  try {
    const contentType = headers['content-type'] ?? '';
    const names = Object.keys(headers);
    contract.check({ method: sent.method.toLowerCase(), path: sent.path, status, contentType, headers: names, text });
  } catch (error) {
    const { message } = error as Error;
    return complain('outside the document', message.split('\n')[0].replaceAll(/[0-9a-f]{32}|: \{.*/g, ''), message);
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
