import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Ambient } from '../../common/ambient.js';
import { ApiError } from '../../common/errors.js';
import { ignoreUnknownFieldsIf, prefersLenient } from './unknown-fields.js';
import { networkOf } from '../../common/network/network.js';
import type { Actor } from './actor.js';
import { confineBy, type Confinement } from '../database/transactions/confinement.js';
import { readStandbyIf } from '../database/connections/standby.js';

/** A permission that a write needed: visibility of this entity, and a role, if any. */
export interface Requirement {
  operation?: string;
  entityId: string;
}

/** The data of the current request besides its caller. */
export interface RequestContextValues {
  requestId: string;
  clientAddress: string;
  userAgent?: string;
  acceptLanguage?: string;
  ifMatch?: string;
  /** Of writes; reads compare it with their response. */
  ifNoneMatch?: string;
  /** Unknown input is ignored. */
  isLenient?: boolean;
  /** The caller, as soon as it is known. */
  caller?: () => Actor | undefined;
  /** The restrictions of the request; known as soon as its caller is. */
  confinement?: Confinement;
  /** The permissions that a write needed, if its response is stored for repetitions. */
  requirements?: Requirement[];
  /** Whether a standby may answer its snapshots, because the operation declares it. */
  mayReadStandby?: boolean;
  /** Adds a header to the response, for a success or an error. */
  setHeader?: (name: string, value: string) => void;
}

const current = new Ambient<RequestContextValues>();
confineBy(() => current.getStore()?.confinement);
readStandbyIf(() => current.getStore()?.mayReadStandby === true);
ignoreUnknownFieldsIf(() => current.getStore()?.isLenient === true);

/** Records a permission that the current write needed. */
export function recordRequirement(requirement: Requirement): void {
  current.getStore()?.requirements?.push(requirement);
}

/** Binds the context of every request from this hook on; its body has been read by now. */
export function bindRequestContext(fastify: FastifyInstance, context: RequestContext): void {
  fastify.addHook('preHandler', (request, reply, done) => {
    const values = valuesOf(request, reply);
    if (values.isLenient === true) void reply.header('preference-applied', 'handling=lenient');
    context.during(values, done);
  });
}

/** The methods whose target is the entity that `If-None-Match` means. */
const COMPARED = ['PUT', 'PATCH', 'DELETE'];

const valuesOf = (request: FastifyRequest & { caller?: Actor }, reply: FastifyReply): RequestContextValues => ({
  requestId: request.id,
  clientAddress: request.ip,
  userAgent: request.headers['user-agent'],
  acceptLanguage: request.headers['accept-language'],
  ifMatch: request.headers['if-match'],
  ifNoneMatch: COMPARED.includes(request.method) ? request.headers['if-none-match'] : undefined,
  isLenient: prefersLenient(request.headers.prefer),
  caller: () => request.caller,
  // A request in a batch shares the requirements of the batch.
  requirements: current.getStore()?.requirements,
  setHeader: (name, value) => void reply.header(name, value),
});

/** Whether a list of entity tags names the revision; `*` names every one. */
const namesRevision = (tags: string, revision: number): boolean =>
  tags.trim() === '*' ||
  tags.split(',').some((tag) => /^\s*(?:W\/)?"(\d+)(?:-[^"]*)?"\s*$/.exec(tag)?.[1] === String(revision));

/** Provides the context of the current request; of workers, only operations have one. */
@Injectable()
export class RequestContext {
  get requestId(): string | undefined {
    return current.getStore()?.requestId;
  }

  /** The caller; undefined in public operations and outside requests. */
  get caller(): Actor | undefined {
    return current.getStore()?.caller?.();
  }

  get clientAddress(): string | undefined {
    return current.getStore()?.clientAddress;
  }

  /** The client's address as the limits count it (see {@link networkOf}); empty outside requests. */
  get clientNetwork(): string {
    return networkOf(this.clientAddress ?? '');
  }

  get acceptLanguage(): string | undefined {
    return current.getStore()?.acceptLanguage;
  }

  get userAgent(): string | undefined {
    return current.getStore()?.userAgent;
  }

  /** Adds a header to the response of the current request, for a success or an error. */
  setHeader(name: string, value: string): void {
    current.getStore()?.setHeader?.(name, value);
  }

  /** Lets a standby answer the snapshots of the current request. */
  allowStandby(): void {
    const values = current.getStore();
    if (values !== undefined) values.mayReadStandby = true;
  }

  /** Restricts all further database access of the current request, or removes the restriction. */
  confine(confinement: Confinement | undefined): void {
    const values = current.getStore();
    if (values === undefined) throw new Error('only requests can be confined');
    values.confinement = confinement;
  }

  /** Sets the caller on whose behalf background work acts, as soon as it is known. */
  actAs(caller: Actor): void {
    const values = current.getStore();
    if (values !== undefined) values.caller = () => caller;
  }

  /** Runs work for the current request with newly determined restrictions. */
  within<T>(confinement: Confinement | undefined, work: () => T): T {
    return current.run({ requestId: '', clientAddress: '', ...current.getStore(), confinement }, work);
  }

  /** Runs the work and collects the permissions that it needed. */
  collectRequirements<T>(requirements: Requirement[], work: () => T): T {
    return current.run({ requestId: '', clientAddress: '', ...current.getStore(), requirements }, work);
  }

  /** Runs work that belongs to no request, outside of the current context. */
  outside<T>(work: () => T): T {
    return current.exit(work);
  }

  during<T>(values: RequestContextValues, work: () => T): T {
    return current.run(values, work);
  }

  /** Rejects the write if `If-Match` names another revision than the current one, or `If-None-Match` names this one. */
  assertIfMatch(revision: number): void {
    const { ifMatch, ifNoneMatch } = current.getStore() ?? {};
    if (ifNoneMatch !== undefined && namesRevision(ifNoneMatch, revision)) {
      throw new ApiError(
        'precondition_failed',
        'The entity exists already, in the revision that If-None-Match names.',
        {
          current_revision: revision,
        },
      );
    }
    if (ifMatch === undefined || namesRevision(ifMatch, revision)) return;
    throw new ApiError('precondition_failed', 'The entity has changed since you read it.', {
      current_revision: revision,
    });
  }

  /** Rejects a request with `If-Match` for an entity that does not exist (412). */
  assertIfMatchAbsent(): void {
    if (current.getStore()?.ifMatch === undefined) return;
    throw new ApiError('precondition_failed', 'There is no such entity yet.', { current_revision: 0 });
  }
}
