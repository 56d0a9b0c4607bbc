import { Injectable, Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { ApiError, notFound } from '../../../common/errors.js';
import { isId } from '../../../common/ids.js';
import { serviceAddress } from '../../../platform/config/address.js';
import { Settings } from '../../../platform/config/settings.js';
import { Database } from '../../../platform/database/database.js';
import { assertBodyRead } from '../../../platform/http/bodies/body-reading.js';
import { failure } from '../../../platform/http/responses/envelope.js';
import { noteFailure } from '../../../platform/context/failure-facts.js';
import type { Directory } from '../directory.js';
import { DirectorySignIn } from '../directory-sign-in.js';
import { discovered } from './scim-discovery.js';
import { projected, readProjection, type Projection, type ScimDocument } from './scim-documents.js';
import { ERROR_SCHEMA, toScimFailure } from './scim-error.js';
import { ScimGroupsService } from '../groups/scim-groups.service.js';
import { ScimUsersService } from '../users/scim-users.service.js';
import { namesVersion, type Tagged } from './scim-versions.js';

const TYPE = 'application/scim+json';
const JSON_TYPES = { pattern: /^application\/(?:scim\+)?json[ \t]*(?:;|$)/i, names: [TYPE, 'application/json'] };
const METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

type ScimRequest = FastifyRequest & { ifMatch?: string; ifNoneMatch?: string };

/** A response before it is sent. */
interface Answer {
  status: number;
  document?: ScimDocument;
  version?: string;
  location?: unknown;
}

/** What the requests to one path do, by method. */
type Handlers = Partial<Record<string, (directory: Directory, request: ScimRequest) => Promise<Answer>>>;

/** The people or the groups of an organization. */
interface Resources {
  kind: 'user' | 'resource';
  list(directory: Directory, query: Readonly<Record<string, unknown>>, projection: Projection): Promise<ScimDocument>;
  get(directory: Directory, id: string, projection: Projection): Promise<Tagged>;
  create(directory: Directory, body: unknown): Promise<Tagged>;
  replace(directory: Directory, id: string, body: unknown, ifMatch?: string): Promise<Tagged>;
  patch(directory: Directory, id: string, body: unknown, ifMatch?: string): Promise<Tagged>;
  delete(directory: Directory, id: string, ifMatch?: string): Promise<void>;
}

/**
 * Serves SCIM 2.0 (RFC 7643, RFC 7644) at the root, beside the interface: it has a body type, errors and callers of its own.
 */
@Injectable()
export class ScimServer {
  private readonly log = new Logger('Scim');

  constructor(
    private readonly database: Database,
    private readonly groups: ScimGroupsService,
    private readonly settings: Settings,
    private readonly signIn: DirectorySignIn,
    private readonly users: ScimUsersService,
  ) {}

  register(fastify: FastifyInstance): void {
    void fastify.register(
      async (scim) => {
        scim.setErrorHandler((error, request, reply) => this.fail(error, request, reply));
        scim.addHook('onRequest', async (request: ScimRequest) => takePreconditions(request));
        this.serve(scim, '/Users', this.collection({ ...bound(this.users), kind: 'user' }));
        this.serve(scim, '/Users/:id', this.single({ ...bound(this.users), kind: 'user' }));
        this.serve(scim, '/Groups', this.collection({ ...bound(this.groups), kind: 'resource' }));
        this.serve(scim, '/Groups/:id', this.single({ ...bound(this.groups), kind: 'resource' }));
        for (const name of ['ServiceProviderConfig', 'ResourceTypes', 'Schemas']) {
          this.serve(scim, `/${name}`, this.discovery(name));
          this.serve(scim, `/${name}/:id`, this.discovery(name));
        }
        for (const path of ['/Bulk', '/Me', '/.search']) this.serve(scim, path, NOT_IMPLEMENTED);
        this.serve(scim, '/*', undefined);
      },
      { prefix: '/scim/v2/:organization_id' },
    );
  }

  /** Registers all methods, so that a caller without a token learns nothing; those without a handler are 405. */
  private serve(scim: FastifyInstance, url: string, handlers: Handlers | undefined): void {
    scim.route({
      method: METHODS,
      url,
      exposeHeadRoute: false,
      config: { jsonTypes: JSON_TYPES },
      handler: async (request, reply) => {
        const directory = await this.signIn.directoryOf(request);
        if (handlers === undefined) throw notFound();
        const handle = handlers[request.method];
        if (handle === undefined) throw notAllowed(Object.keys(handlers), reply);
        assertBodyRead(request);
        return this.send(await handle(directory, request), reply);
      },
    });
  }

  private collection(resources: Resources): Handlers {
    return {
      GET: async (directory, { query }) => {
        const projection = readProjection(query as Record<string, unknown>);
        const page = await resources.list(directory, query as Record<string, unknown>, projection);
        const listed = (page.Resources as ScimDocument[]).map((one) => projected(one, projection));
        return { status: 200, document: { ...page, Resources: listed } };
      },
      POST: async (directory, { body, query }) => {
        const projection = readProjection(query as Record<string, unknown>);
        const { document, version } = await this.database.transaction(() => resources.create(directory, body));
        const { location } = document.meta as { location: string };
        return { status: 201, document: projected(document, projection), version, location };
      },
    };
  }

  private single(resources: Resources): Handlers {
    const idIn = ({ params }: FastifyRequest): string => {
      const { id } = params as { id: string };
      if (!isId(resources.kind, id)) throw notFound();
      return id;
    };
    const change =
      (act: 'replace' | 'patch') =>
      async (directory: Directory, request: ScimRequest): Promise<Answer> => {
        const projection = readProjection(request.query as Record<string, unknown>);
        const { body, ifMatch } = request;
        const changed = await this.database.transaction(() => resources[act](directory, idIn(request), body, ifMatch));
        return { status: 200, document: projected(changed.document, projection), version: changed.version };
      };
    return {
      GET: async (directory, request) => {
        const projection = readProjection(request.query as Record<string, unknown>);
        const { document, version } = await resources.get(directory, idIn(request), projection);
        const isKnown = request.ifNoneMatch !== undefined && namesVersion(request.ifNoneMatch, version);
        return isKnown ? { status: 304, version } : { status: 200, document: projected(document, projection), version };
      },
      PUT: change('replace'),
      PATCH: change('patch'),
      DELETE: async (directory, request) => {
        await this.database.transaction(() => resources.delete(directory, idIn(request), request.ifMatch));
        return { status: 204 };
      },
    };
  }

  private discovery(name: string): Handlers {
    return {
      GET: async ({ organizationId }, { params, query }) => {
        // RFC 7644, section 4: a filter of what is always the same is refused.
        if ('filter' in (query as object)) throw new ApiError('forbidden', 'This list cannot be filtered.');
        const { id } = params as { id?: string };
        const document = discovered(`${serviceAddress(this.settings)}/scim/v2/${organizationId}`, name, id);
        if (document === undefined) throw notFound();
        return { status: 200, document };
      },
    };
  }

  private send({ status, document, version, location }: Answer, reply: FastifyReply): FastifyReply {
    void reply.code(status).headers({
      'cache-control': 'no-store',
      ...(version !== undefined && { etag: version }),
      ...(typeof location === 'string' && { location }),
    });
    if (document === undefined) return reply.send();
    return reply.header('content-type', TYPE).send(JSON.stringify(document));
  }

  private fail(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const verdict = toScimFailure(error);
    const { refusal, status, body } = verdict;
    if (status >= 500 && refusal.code === 'internal_error') this.log.error(request.id, error);
    if (verdict.validatorGap === true) this.log.warn(`${request.id} validator_gap ${request.routeOptions.url}`, error);
    noteFailure(request, verdict, error);
    const path = request.url.split('?')[0];
    const { authorization } = request.headers;
    const { headers } = failure(refusal, status, { id: request.id, path, authorization });
    void reply
      .code(status)
      .headers({ ...headers, 'cache-control': 'no-store', 'content-type': TYPE })
      .send(JSON.stringify(body));
  }
}

const notImplemented = async (): Promise<Answer> => {
  const detail =
    'The service has no bulk operations, no /Me and no /.search; send one request for each change and list.';
  return { status: 501, document: { schemas: [ERROR_SCHEMA], status: '501', detail } };
};
const NOT_IMPLEMENTED: Handlers = Object.fromEntries(METHODS.map((method) => [method, notImplemented]));

/** The operations of a service, which need it as `this`. */
const bound = (service: ScimUsersService | ScimGroupsService): Omit<Resources, 'kind'> => ({
  list: (...given) => service.list(...given),
  get: (...given) => service.get(...given),
  create: (...given) => service.create(...given),
  replace: (...given) => service.replace(...given),
  patch: (...given) => service.patch(...given),
  delete: (...given) => service.delete(...given),
});

/** The preconditions are about the resource of the directory, and not about the entities that change with it. */
function takePreconditions(request: ScimRequest): void {
  request.ifMatch = request.headers['if-match'];
  request.ifNoneMatch = request.headers['if-none-match'];
  delete request.headers['if-match'];
  delete request.headers['if-none-match'];
  delete request.headers.prefer;
}

function notAllowed(allowed: string[], reply: FastifyReply): ApiError {
  void reply.header('allow', allowed.join(', '));
  return new ApiError('method_not_allowed', `This path supports ${allowed.join(', ')}.`, { allowed });
}
