import { Ajv2020 } from 'ajv/dist/2020.js';
import { TestApp, type Person } from '../support/test-app.js';
import { makeHoldings, type Holdings } from '../access/references/holdings.js';
import type { Kind } from '../../src/common/kinds.js';
import { kindOf } from '../../src/common/ids.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  pattern?: string;
}

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Parameter {
  name: string;
  in: string;
  description?: string;
  example?: unknown;
  style?: string;
  explode?: boolean;
  schema: Schema;
}

interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  operationId: string;
  description: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}

describe('the document', () => {
  let app: TestApp;
  let schemas: Record<string, Schema>;
  let operations: Operation[];

  beforeAll(async () => {
    app = await TestApp.open();
    schemas = app.document.components?.schemas as Record<string, Schema>;
    operations = Object.entries(app.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as object).map(([method, operation]) => ({ ...operation, method, path }) as Operation),
    );
  });

  afterAll(() => app.close());

  const media = ({ requestBody, responses }: Operation): Media[] =>
    [requestBody, ...Object.values(responses)].flatMap((one) => Object.values(one?.content ?? {}));

  const properties = (): { name: string; schema: Schema }[] =>
    Object.entries(schemas).flatMap(([owner, { properties: own = {} }]) =>
      Object.entries(own).map(([name, schema]) => ({ name: `${owner}.${name}`, schema })),
    );

  it('describes every operation, parameter and property', () => {
    expect(operations.filter(({ description }) => !description).map(({ operationId }) => operationId)).toEqual([]);
    const parameters = operations.flatMap((one) => one.parameters.map((it) => ({ ...it, of: one.operationId })));
    expect(parameters.filter(({ description }) => !description).map(({ of, name }) => `${of} ${name}`)).toEqual([]);
    expect(
      properties()
        .filter(({ schema }) => !schema.description)
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it('gives every body, answer, nested object and enum a name', () => {
    const isNamed = ({ schema }: Media): boolean => schema.$ref !== undefined || schema.type === 'string';
    const unnamed = operations.filter((operation) => !media(operation).every(isNamed));
    expect(unnamed.map(({ operationId }) => operationId)).toEqual([]);
    const isInline = ({ enum: values, properties: nested, items, anyOf = [], oneOf = [] }: Schema): boolean =>
      values !== undefined ||
      nested !== undefined ||
      [items, ...anyOf, ...oneOf].some((one) => one !== undefined && isInline(one));
    expect(
      properties()
        .filter(({ schema }) => isInline(schema))
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it('closes bodies and leaves answers open', () => {
    const closed = (name: string): boolean => schemas[name].additionalProperties === false;
    const objects = Object.keys(schemas).filter((name) => schemas[name].properties !== undefined);
    const odd = objects.filter((name) => closed(name) !== name.endsWith('Input'));
    expect(odd).toEqual([]);
  });

  it('declares numbers as doubles and query lists as comma-separated', () => {
    const numbers = properties().filter(({ schema }) => [schema.type].flat().includes('number'));
    expect(numbers.filter(({ schema }) => schema.format !== 'double').map(({ name }) => name)).toEqual([]);
    const lists = operations.flatMap(({ parameters }) => parameters).filter(({ schema }) => schema.type === 'array');
    expect(lists.length).toBeGreaterThan(50);
    expect(lists.every(({ style, explode }) => style === 'form' && explode === false)).toBe(true);
  });

  it('says of every filter by id what the ids look like, and of closed sets that values can be left out', () => {
    const filters = operations.flatMap(({ operationId, parameters }) =>
      parameters.map(({ name, schema }) => ({ name: `${operationId} ${name}`, schema: schema.items ?? schema })),
    );
    const untyped = filters.filter(({ name, schema }) => name.endsWith('_id') && schema.pattern === undefined);
    expect(untyped.map(({ name }) => name)).toEqual([]);
    const statuses = schemas.TaskStatus.enum ?? [];
    const filter = filters.find(({ name }) => name === 'tasks_list status');
    expect(filter?.schema.enum).toEqual([...statuses, ...statuses.map((value) => `!${String(value)}`)]);
  });

  it('has examples of every body and answer that its schemas allow', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 6, validateFormats: false });
    ajv.addSchema({ $id: 'document', components: { schemas } });
    const faults = operations.flatMap((operation) =>
      media(operation).flatMap(({ schema, example, examples }) => {
        if (schema.$ref === undefined) return [];
        const given = [example, ...Object.values(examples ?? {}).map(({ value }) => value)].filter(Boolean);
        if (given.length === 0) return [`${operation.operationId}: no example of ${schema.$ref}`];
        const validate = ajv.compile({ $ref: `document${schema.$ref}` });
        return given
          .filter((value) => !validate(value))
          .map(() => `${operation.operationId} ${schema.$ref}: ${ajv.errorsText(validate.errors)}`);
      }),
    );
    expect([...new Set(faults)]).toEqual([]);
  });

  describe('has examples of creations', () => {
    let mine: Holdings;
    let callers: Record<string, Person | null>;
    let others: Record<string, Partial<Record<Kind, string>>>;

    beforeAll(async () => {
      mine = await makeHoldings(app, 'Ann');
      const { owner, companion, team, things } = mine;
      await app.join(things.endeavour, companion, 'member');
      callers = { auth_register: null, users_create: await app.admin(), dod_endorsements_create: companion };
      const guest = await app.person('Guest');
      await app.join(things.organization, guest, 'guest');
      const agent = await app
        .as(owner)
        .post('/agents')
        .send({ name: 'Triage', organization_id: things.organization })
        .expect(201);
      others = {
        'agents_tokens_create path': { [kindOf(agent.body.data.id) ?? '']: agent.body.data.id },
        approvals_create: { task: await app.task(owner, things.endeavour) },
        endeavours_members_add: { user: guest.id },
        organizations_members_add: { user: companion.id },
        resources_members_add: { resource: companion.resourceId },
        'resources_members_add path': { resource: team },
      };
    });

    /** The example with ids of things that are there in place of its own. */
    const real = (value: unknown, operation: string): unknown => {
      if (Array.isArray(value)) return value.map((one) => real(one, operation));
      if (typeof value === 'object' && value !== null) {
        return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, real(one, operation)]));
      }
      const kind = typeof value === 'string' ? kindOf(value) : undefined;
      return kind === undefined ? value : (others[operation]?.[kind] ?? mine.things[kind] ?? value);
    };

    it('that work when they are posted', async () => {
      const creations = operations.filter(
        ({ method, responses, requestBody }) => method === 'post' && '201' in responses && requestBody,
      );
      expect(creations.length).toBeGreaterThan(25);
      const refused: string[] = [];
      for (const { operationId, path, parameters, requestBody } of creations) {
        const asking = operationId in callers ? callers[operationId] : mine.owner;
        const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
          const { example } = parameters.find((one) => one.in === 'path' && one.name === name) ?? {};
          return String(real(example, `${operationId} path`));
        });
        const body = real(requestBody?.content['application/json'].example, operationId);
        const { status, text } = await app
          .as(asking)
          .post(target)
          .send(body as object);
        if (status >= 300) refused.push(`${operationId} ${status} ${JSON.stringify(body)} ${text}`);
      }
      expect(refused).toEqual([]);
    });
  });
});
