import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { describeHeaders } from './document-headers.js';
import { components } from './schemas.js';

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
  Comments: 'Discussion on any entity',
  Relations: 'Entity relationships',
  Approvals: 'Approval decisions',
  Messages: 'Internal messaging',
  DoD: 'Definition of Done policies and endorsements',
  Health: 'Whether the service is up and ready',
};

const ABOUT = `Organizations run endeavours, state demands, do tasks, agree on what "done" means, and can prove it.

Sign in with \`POST /api/v1/auth/login\`, press **Authorize** and paste the token. Every answer is \`{"data": ...}\`, every
failure \`{"error": {code, message, request_id, details}}\`; lists carry \`meta\` with the total and a cursor.`;

/** The OpenAPI 3.1 document of the running code. */
export function makeDocument(app: NestFastifyApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Worksmith')
    .setDescription(ABOUT)
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'bearer');
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build());
  document.components = { ...document.components };
  document.components.schemas = { ...document.components.schemas, ...(components() as Schemas) };
  return describeHeaders(document);
}

/** Serves the document and the explorer, with every asset from this origin. */
export function serveDocuments(app: NestFastifyApplication): void {
  SwaggerModule.setup('docs', app, () => makeDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Worksmith API',
    customCss: '.swagger-ui .topbar { display: none }',
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true, docExpansion: 'none', filter: true },
  });
}
