import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Database, type TransactionOptions } from '../database/database.js';

const HEADER = 'x-dry-run-secret';
/** Never leaves the process, so no client can send it. */
const SECRET = randomBytes(24).toString('hex');

/** A request to be executed and rolled back. */
export interface DryRunRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Includes the query. */
  url: string;
  authorization: string;
  clientAddress: string;
  body?: object;
}

export const isDryRunRequest = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => headers[HEADER] === SECRET;

/** Thrown to roll a transaction back whose work succeeded. */
class Rollback extends Error {}

/** Runs the work of a writing request and rolls all of it back, including what an error would commit. */
export async function runAndRollBack<T>(
  database: Database,
  work: () => Promise<T>,
  { seconds }: TransactionOptions = {},
): Promise<T> {
  let outcome: Promise<T> | undefined;
  try {
    await database.transaction(
      async () => {
        outcome = work();
        await outcome.catch(() => undefined);
        throw new Rollback();
      },
      { seconds },
    );
  } catch (error) {
    if (!(error instanceof Rollback)) throw error;
  }
  return outcome as Promise<T>;
}

/** Sends requests to the service itself, through all guards and checks, and rolls them back. */
@Injectable()
export class DryRunRequests {
  constructor(private readonly host: HttpAdapterHost) {}

  async responseTo({ method, url, authorization, clientAddress, body }: DryRunRequest): Promise<{
    status: number;
    body: unknown;
  }> {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const response = await fastify.inject({
      method,
      url,
      remoteAddress: clientAddress,
      headers: { authorization, [HEADER]: SECRET },
      ...(body !== undefined && { payload: body }),
    });
    // Calendars and pages are not JSON, but their errors are.
    const isJson = response.body !== '' && String(response.headers['content-type']).startsWith('application/json');
    return { status: response.statusCode, body: isJson ? (JSON.parse(response.body) as unknown) : undefined };
  }
}
