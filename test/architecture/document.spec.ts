import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { FEED_EVENT_TYPES } from '../../src/common/event-types.js';
import { TestApp } from '../support/test-app.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  examples?: unknown[];
  'x-enum-varnames'?: string[];
  additionalProperties?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  pattern?: string;
  minimum?: number;
}

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { $ref?: string; value?: unknown }>;
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
  responses: Record<string, { description: string; headers?: object; content?: Record<string, Media> }>;
}

describe('the OpenAPI document', () => {
  let app: TestApp;
  let schemas: Record<string, Schema>;
  let named: Record<string, { value: unknown }>;
  let operations: Operation[];

  beforeAll(async () => {
    app = await TestApp.open();
    schemas = app.document.components?.schemas as Record<string, Schema>;
    named = app.document.components?.examples as unknown as Record<string, { value: unknown }>;
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

  it('describes every operation and parameter, and properties whose name does not say all', () => {
    expect(operations.filter(({ description }) => !description).map(({ operationId }) => operationId)).toEqual([]);
    const parameters = operations.flatMap((one) => one.parameters.map((it) => ({ ...it, of: one.operationId })));
    expect(parameters.filter(({ description }) => !description).map(({ of, name }) => `${of} ${name}`)).toEqual([]);
    const texts = new Map(properties().map(({ name, schema }) => [name, schema.description]));
    expect([texts.get('Task.title'), texts.get('Task.owner_id')]).toEqual([undefined, undefined]);
    expect(texts.get('Task.revision')).toContain('If-Match');
    expect(texts.get('Task.estimate')).toBe('Hours.');
  });

  it('names the schema of every body, response, nested object and enum', () => {
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

  it('has no type beside a $ref, and declares the properties of every object', () => {
    const nested = (schema: Schema): Schema[] => {
      const { properties: own = {}, additionalProperties: more, items, anyOf = [], oneOf = [] } = schema;
      const inside = [...Object.values(own), items, ...anyOf, ...oneOf, typeof more === 'object' ? more : undefined];
      return [schema, ...inside.flatMap((one) => (one === undefined ? [] : nested(one as Schema)))];
    };
    const isOdd = ({ $ref, type, properties: own, additionalProperties: more }: Schema): boolean =>
      $ref === undefined ? [type].flat().includes('object') && (own ?? more) === undefined : type !== undefined;
    const bodies = operations.flatMap((one) => media(one).map(({ schema }) => schema));
    const owned = [...Object.entries(schemas), ...bodies.map((schema) => ['a body', schema] as const)];
    const odd = owned.filter(([, schema]) => nested(schema).some(isOdd)).map(([name]) => name);
    expect(odd).toEqual([]);
  });

  it('allows additional properties in responses, and none in request bodies and compact representations', () => {
    const closed = (name: string): boolean => schemas[name].additionalProperties === false;
    const objects = Object.keys(schemas).filter((name) => schemas[name].properties !== undefined);
    const odd = objects.filter((name) => closed(name) !== /(?:Input|Compact)$/.test(name));
    expect(odd).toEqual([]);
  });

  it('declares numbers as doubles and query lists as comma-separated', () => {
    const numbers = properties().filter(({ schema }) => [schema.type].flat().includes('number'));
    expect(numbers.filter(({ schema }) => schema.format !== 'double').map(({ name }) => name)).toEqual([]);
    const lists = operations.flatMap(({ parameters }) => parameters).filter(({ schema }) => schema.type === 'array');
    expect(lists.length).toBeGreaterThan(50);
    expect(lists.every(({ style, explode }) => style === 'form' && explode === false)).toBe(true);
  });

  it('declares integers as int64, names the constants of every enum, and metadata as a component', () => {
    const integers = properties().filter(({ schema }) => [schema.type].flat().includes('integer'));
    expect(integers.length).toBeGreaterThan(100);
    expect(integers.filter(({ schema }) => schema.format !== 'int64').map(({ name }) => name)).toEqual([]);
    const enums = Object.entries(schemas).flatMap(([name, schema]) => {
      const values = (schema.enum ?? []).map(String);
      const names = schema['x-enum-varnames'] ?? values;
      const isGood = names.every((one) => /^[a-z]\w*$/i.test(one)) && new Set(names).size === values.length;
      return isGood ? [] : [name];
    });
    expect(enums).toEqual([]);
    expect(schemas.TaskSort).toMatchObject({ 'x-enum-varnames': expect.arrayContaining(['CREATED_AT_DESC']) });
    const metadata = properties().filter(({ name, schema }) => name.endsWith('.metadata') && schema.type !== undefined);
    expect(metadata.map(({ name }) => name)).toEqual([]);
  });

  it('has a minimum for every number in a query', () => {
    const numbers = operations.flatMap(({ operationId, parameters }) =>
      parameters
        .filter(({ in: place, schema }) => place === 'query' && ['integer', 'number'].includes(String(schema.type)))
        .map(({ name, schema }) => ({ name: `${operationId} ${name}`, minimum: schema.minimum })),
    );
    expect(numbers.length).toBeGreaterThan(50);
    expect(numbers.filter(({ minimum }) => minimum === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('has a pattern for every id filter, and the negated values of enum filters', () => {
    const filters = operations.flatMap(({ operationId, parameters }) =>
      parameters.map(({ name, schema }) => ({ name: `${operationId} ${name}`, schema: schema.items ?? schema })),
    );
    const untyped = filters.filter(({ name, schema }) => name.endsWith('_id') && schema.pattern === undefined);
    expect(untyped.map(({ name }) => name)).toEqual([]);
    const statuses = schemas.TaskStatus.enum ?? [];
    const filter = filters.find(({ name }) => name === 'tasks_list status');
    expect(filter?.schema.enum).toEqual([...statuses, ...statuses.map((value) => `!${String(value)}`)]);
  });

  it('keeps the named examples in its components, without which openapi-generator warns', () => {
    const responses = Object.values(app.document.components?.responses ?? {}) as { content?: Record<string, Media> }[];
    const all = [...operations.flatMap(media), ...responses.flatMap(({ content }) => Object.values(content ?? {}))];
    const examples = all.flatMap((one) => Object.values(one.examples ?? {}));
    expect(examples.length).toBeGreaterThan(50);
    expect(
      examples.filter(({ $ref }) => !Object.hasOwn(named, String($ref).slice('#/components/examples/'.length))),
    ).toEqual([]);
  });

  it('has a component for the data of every type of event', () => {
    const { EventData: data } = (app.document.components?.schemas ?? {}) as Record<string, { 'x-event-data'?: object }>;
    const described = Object.keys(data['x-event-data'] ?? {});
    const missing = FEED_EVENT_TYPES.filter((type) =>
      [type, type.replace(/\..*$/, '.*')].every((pattern) => !described.includes(pattern)),
    );
    expect(missing).toEqual([]);
  });

  it('has only extensions that clients read', () => {
    const found = new Set(JSON.stringify(app.document).match(/"x-[a-zA-Z-]+"(?=:)/g));
    expect([...found].sort()).toEqual(['"x-also-as"', '"x-displayName"', '"x-enum-varnames"', '"x-event-data"']);
  });

  it('returns every property that a client can write, but these', () => {
    const propertiesOf = (schema: Schema | undefined): Record<string, Schema> => {
      const { $ref, properties: own = {}, anyOf, oneOf } = schema ?? {};
      if ($ref !== undefined) return propertiesOf(schemas[$ref.split('/').at(-1) ?? '']);
      return Object.assign({}, own, ...(anyOf ?? oneOf ?? []).map(propertiesOf));
    };
    const hidden = operations
      .filter(({ operationId }) => /_(?:create|update)$/.test(operationId))
      .map(({ operationId, requestBody, responses }): [string, string[]] => {
        const sent = propertiesOf(requestBody?.content['application/json']?.schema);
        const { data } = propertiesOf((responses['200'] ?? responses['201'])?.content?.['application/json']?.schema);
        const returned = propertiesOf(data);
        if (Object.keys(returned).length === 0 || returned.revision === undefined) return [operationId, []];
        return [operationId, Object.keys(sent).filter((name) => !Object.hasOwn(returned, name))];
      });
    expect(Object.fromEntries(hidden.filter(([, names]) => names.length > 0))).toEqual({
      auth_identities_create: ['flow_token', 'state', 'code', 'iss'],
      auth_passkeys_create: ['credential'],
      identity_providers_create: ['client_secret'],
      identity_providers_update: ['client_secret'],
      organizations_update: ['revoke_tokens'],
      ritual_runs_update: ['claim'],
      tasks_checklist_update: ['checked', 'text'],
      tasks_create: ['parent_id'],
      tasks_update: ['parent_id'],
      users_create: ['password'],
    });
  });

  it('has no name twice among its components, of which generators make types', () => {
    const { schemas: types, responses, parameters } = app.document.components ?? {};
    const names = [types, responses, parameters].flatMap((components) => Object.keys(components ?? {}));
    const lowered = names.map((name) => name.toLowerCase());
    expect(names.filter((_, at) => lowered.indexOf(lowered[at]) !== at)).toEqual([]);
  });

  it('has one media type in every response, so that generated code has no unions', () => {
    const several = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([, { content = {} }]) => Object.keys(content).length > 1)
        .map(([status]) => `${operationId} ${status}`),
    );
    expect(several).toEqual([]);
    expect(app.document.info.description).toContain('application/problem+json');
  });

  it('describes the form of a file as an object of parts, and each type of a file', () => {
    const { content = {} } = operations.find(({ operationId }) => operationId === 'imports_create')?.requestBody ?? {};
    expect(Object.keys(content)).toEqual([
      'application/octet-stream',
      'text/csv',
      'application/json',
      'multipart/form-data',
    ]);
    const form = schemas[String(content['multipart/form-data'].schema.$ref).slice('#/components/schemas/'.length)];
    expect(form.properties?.file).toMatchObject({ type: 'string', format: 'binary' });
    expect(Object.keys(form.properties ?? {}).at(-1)).toBe('file');
  });

  it('lists the headers that a client acts on, and names those of every response once', () => {
    const listed = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
    );
    expect([...new Set(listed)].sort()).toEqual([
      'Accept-Encoding',
      'Accept-Patch',
      'Accept-Post',
      'Content-Disposition',
      'Dry-Run',
      'ETag',
      'Idempotent-Replayed',
      'Link',
      'Location',
      'Retry-After',
      'WWW-Authenticate',
    ]);
    for (const name of ['X-Request-Id', 'RateLimit', 'Content-Security-Policy', 'Vary']) {
      expect(app.document.info.description).toContain(`\`${name}\``);
    }
  });

  it('says once what several operations have in common', async () => {
    const { paths } = (await app.service.document()) as unknown as {
      paths: Record<string, Record<string, Pick<Operation, 'parameters' | 'responses'>>>;
    };
    const inline = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ parameters, responses }) =>
        [...(parameters ?? []), ...Object.values(responses)].map((one) => JSON.stringify(one)),
      ),
    );
    const repeated = inline.filter((one, at) => !one.includes('"$ref":"#/components/') && inline.indexOf(one) !== at);
    expect(repeated.slice(0, 3)).toEqual([]);
  });

  it('has an example of every body and response that matches its schema', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 6, validateFormats: false });
    ajv.addSchema({ $id: 'document', components: { schemas } });
    const validators = new Map<string, ValidateFunction>();
    const validatorOf = ($ref: string): ValidateFunction => {
      const validate = validators.get($ref) ?? ajv.compile({ $ref: `document${$ref}` });
      validators.set($ref, validate);
      return validate;
    };
    // Several responses contain the same component, which has the example of all of them.
    const hasExample = (schema: Schema): boolean => {
      const whole = schemas[String(schema.$ref).slice('#/components/schemas/'.length)];
      if (whole.oneOf !== undefined) return hasExample(whole.oneOf[0]);
      const { data } = whole.properties ?? {};
      return whole.examples !== undefined || (data !== undefined && hasExample(data.items ?? data));
    };
    const exampleOf = ({ $ref = '', value }: { $ref?: string; value?: unknown }): unknown =>
      value ?? named[$ref.replace('#/components/examples/', '')].value;
    const faults = operations.flatMap((operation) =>
      media(operation).flatMap(({ schema, example, examples }) => {
        if (schema.$ref === undefined) return [];
        const given = [example, ...Object.values(examples ?? {}).map(exampleOf)].filter(Boolean);
        if (given.length === 0 && hasExample(schema)) return [];
        if (given.length === 0) return [`${operation.operationId}: no example of ${schema.$ref}`];
        const validate = validatorOf(schema.$ref);
        return given
          .filter((value) => !validate(value))
          .map(() => `${operation.operationId} ${schema.$ref}: ${ajv.errorsText(validate.errors)}`);
      }),
    );
    expect([...new Set(faults)]).toEqual([]);
    const components = Object.entries(schemas).flatMap(([name, { examples = [] }]) =>
      examples.filter((example) => !validatorOf(`#/components/schemas/${name}`)(example)).map(() => name),
    );
    expect(components).toEqual([]);
  });
});
