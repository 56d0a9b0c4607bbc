import { setImmediate as nextTurn } from 'node:timers/promises';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { assetOf, serveAsset } from '../server/asset.js';
import { orderPaths } from './document-order.js';
import type { DeclaredRoute } from '../server/declared-routes.js';
import { finishDocument } from './finish.js';
import { serveExplorer } from '../server/explorer.js';
import { releaseVersion } from '../../release/checkout.js';
import { UNLISTED_HEADERS } from './headers.js';
import { components, webhooks } from './schemas.js';
import { toYaml } from './yaml.js';

type Schemas = NonNullable<OpenAPIObject['components']>['schemas'];

const TAGS: Record<string, string> = {
  Auth: 'Authentication and user profile',
  Users: 'User management',
  Organizations: 'Organizational units',
  Endeavours: 'Goal-oriented work containers',
  Demands: 'Work requests (stories, bugs, spikes, etc.)',
  Tasks: 'Atomic units of work',
  Resources: 'People, teams, and other capacity units',
  Rituals: 'Recurring process templates',
  Templates: 'Reusable templates',
  Artifacts: 'Documents, links, and deliverables',
  Iterations: 'Iterations of endeavours, such as sprints',
  'Time entries': 'Time that was spent on tasks',
  Views: 'Saved queries of tasks and demands',
  Rules: 'What happens when something happens to tasks and demands',
  Comments: 'Discussion on any entity',
  Relations: 'Entity relationships',
  Approvals: 'Approval decisions',
  Messages: 'Internal messaging',
  Search: 'Everything you can see, by words',
  Batch: 'Several requests in one',
  Imports: 'Work brought in from files of other systems',
  Operations: 'Work that takes longer than a request',
  Changes: 'Events, change history and redaction',
  Webhooks: 'Events sent to other services',
  Identity: 'Services that tell who somebody is',
  Work: 'What you have to do',
  Audit: 'Security-relevant acts',
  Dod: 'Definition of Done policies and endorsements',
  Health: 'Whether the service is running and ready',
};

/** How documentation shows a tag whose name, from which generators make names of classes, is spelled otherwise. */
const DISPLAY_NAMES: Partial<Record<string, object>> = { Dod: { 'x-displayName': 'DoD' } };

/** The headers that no single response lists. */
const UNLISTED = [...UNLISTED_HEADERS].map((name) => `\`${name}\``).join(', ');

const ABOUT = `Worksmith is a work-management service: organizations run endeavours, state demands, complete tasks, and agree on a Definition of Done.

**Authentication.** \`POST /api/v1/auth/login\` with e-mail address and password returns \`data.token\`; send it as
\`Authorization: Bearer <token>\`. In the explorer, sign in at the top of the page, or paste a token there.
To create an account, call \`POST /api/v1/auth/register\`, then \`POST /api/v1/auth/verify\` with the code that is sent by
mail (without a configured mail server, the output of the service shows the code). The password of the first
administrator is printed at the first start.

**Responses.** Every successful response is \`{"data": ...}\`, every error \`{"error": {code, message, request_id, details}}\`;
lists add \`meta\` with the total and a cursor. With \`Accept: application/problem+json\`, errors are RFC 9457 documents
(the schema \`Problem\`). Operations with \`x-also-as\` return these media types instead of JSON if \`Accept\` prefers one: whole
lists as \`text/csv\` and \`application/x-ndjson\`, graphs and diagrams as pictures. All others return JSON whatever \`Accept\` says.
With \`fields\`, a response has only these properties and is \`application/json; profile=partial\`; with \`view=compact\`, its
items have the schema whose name ends in \`Compact\`, such as \`TaskCompact\`, and it is \`application/json; profile=compact\`.
With \`Prefer: handling=lenient\`, unknown parameters and properties of bodies are ignored instead of rejected.

**Parameters.** A query parameter that is an array takes one value, or several separated by commas (\`status=planned,active\`).

**Headers.** Besides the headers that are listed with a response, every response can carry ${UNLISTED}; most of
them are for browsers and caches. \`X-Request-Id\` is the id of the request, which you include when you report a problem.
\`RateLimit: "reads";r=5999;t=60\` and \`RateLimit-Policy: "reads";q=6000;w=60\` say what is left of the limit that you are
closest to: r of q requests, in the next t of w seconds.`;

const TOKEN = `The \`data.token\` from \`POST /api/v1/auth/login\` (e-mail address and password) or \`POST /api/v1/auth/verify\` (e-mail
address and code), or an access token from \`POST /api/v1/auth/tokens\`. Paste it without the word Bearer. The form at the
top of the explorer signs you in without pasting.`;

/**
 * Builds the OpenAPI 3.1 document. This takes a fifth of a second, so it yields to other requests between modules and
 * between the final steps.
 */
export async function makeDocument(
  app: NestFastifyApplication,
  operations: Iterable<DocumentedOperation>,
): Promise<OpenAPIObject> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Worksmith')
    .setDescription(ABOUT)
    .setVersion(releaseVersion())
    .addServer('/', 'This service')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: TOKEN }, 'bearer');
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const parts: OpenAPIObject[] = [];
  for (const { metatype, controllers } of app.get(ModulesContainer).values()) {
    if (controllers.size === 0) continue;
    parts.push(SwaggerModule.createDocument(app, builder.build(), { include: [metatype] }));
    await nextTurn();
  }
  const [document] = parts;
  for (const tag of document.tags ?? []) Object.assign(tag, DISPLAY_NAMES[tag.name]);
  document.info.license = { name: 'MIT', identifier: 'MIT' } as { name: string };
  document.info.contact = { name: 'The Worksmith authors' };
  const schemas: Schemas = Object.assign({}, ...parts.map((part) => part.components?.schemas), components());
  document.components = { ...document.components, schemas };
  document.paths = orderPaths(pathsOf(parts), Object.keys(TAGS));
  markDryRuns(document, operations);
  return Object.assign(await finishDocument(document), { webhooks: webhooks() });
}

/** What the document says of an operation besides its decorators. */
interface DocumentedOperation extends Pick<DeclaredRoute, 'method' | 'path'> {
  acceptsDryRun: boolean;
}

/** Marks the operations that accept `dry_run`. */
function markDryRuns({ paths }: OpenAPIObject, operations: Iterable<DocumentedOperation>): void {
  for (const { method, path, acceptsDryRun } of operations) {
    if (!acceptsDryRun) continue;
    const methods = paths[path.template] as Record<string, object>;
    Object.assign(methods[method.toLowerCase()], { 'x-dry-run': true });
  }
}

/** Several modules can have operations on the same path. */
function pathsOf(parts: readonly OpenAPIObject[]): OpenAPIObject['paths'] {
  const paths: OpenAPIObject['paths'] = {};
  for (const [path, item] of parts.flatMap((part) => Object.entries(part.paths))) {
    paths[path] = { ...paths[path], ...item };
  }
  return paths;
}

/** Serves the document, and the explorer that loads it. */
export function serveDocuments(app: NestFastifyApplication, operations: Iterable<DocumentedOperation>): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  let pending: Promise<OpenAPIObject> | undefined;
  const document = (): Promise<OpenAPIObject> => (pending ??= makeDocument(app, operations));
  serveAsset(fastify, '/openapi.json', async () => assetOf(JSON.stringify(await document()), '.json'));
  serveAsset(fastify, '/openapi.yaml', async () => assetOf(await toYaml(await document()), '.yaml'));
  serveExplorer(fastify);
}
