import { appendFileSync, writeFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenAPIObject } from '@nestjs/swagger';
import { resolveReference, withoutExtraProperties } from './document.js';

interface Exchange {
  method: string;
  /** Includes the query. */
  path: string;
  status: number;
  contentType: string;
  /** The names of the response headers. */
  headers: string[];
  text: string;
}

interface DocumentedResponse {
  headers?: Record<string, object>;
  /** The examples of an error are one for each code that the operation can return with this status. */
  content?: Record<string, { schema: { $ref: string }; examples?: Record<string, object> }>;
}

interface DocumentedOperation {
  operationId: string;
  responses: Record<string, DocumentedResponse>;
  /** The media types that can be requested instead of JSON. */
  'x-also-as'?: string[];
}

interface Route {
  template: string;
  pattern: RegExp;
  operations: Record<string, DocumentedOperation>;
}

/** An event of a feed, a history or a webhook; `fields` can select a part. */
export interface FeedEvent {
  type?: string;
  data?: object;
  previous?: object;
}

/** What a webhook receives. */
export interface WebhookBody {
  type: string;
  data: FeedEvent;
}

const EVENTS = /\/(History)?EventPage$/;
const EVENT_DATA = '#/components/schemas/EventData';

/** The prefix of the CORS headers, which the service sends if origins are configured. */
const OF_CORS = 'access-control-';
/** Headers of HTTP itself, which OpenAPI documents do not list. */
const OF_HTTP = ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'];

/** The schema of errors for clients that accept it. */
const PROBLEM = '#/components/schemas/Problem';

/** Matches requests whose parameter selects the response of another operation. */
const ELSEWHERE: Record<string, { query: RegExp; schema: string }> = {
  tasks_list: { query: /[?&]summary(?![^&=])/, schema: '#/components/schemas/TaskSummaryEnvelope' },
};

/** Matches requests for selected properties; the document states only in prose that the others are absent. */
const SELECTS = /[?&]fields=[^&]/;

const segmentsOf = (path: string): number => path.split('/').length;

/** Checks every response of a test run against the OpenAPI document of the running code. */
export class Contract {
  // A multiple of 0.0001 is not exact in binary.
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 6 });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly noted = new Set<string>();
  /** The routes by the number of segments in their paths. */
  private readonly routes = new Map<number, Route[]>();
  /** The headers of every response, which the description of the document names. */
  private readonly unlisted: string[];
  /** Computed early, because the `process` of a test file is gone after it, but later files use the same contract. */
  private readonly notesFile = `${process.env.TEST_DIR}/${process.pid}.seen`;

  /** Without `notes`, responses do not count as tested: a documented response needs a test that expects it. */
  constructor(
    /** The output of {@link inlineReferences}. */
    readonly document: OpenAPIObject,
    private readonly notes = true,
  ) {
    for (const name of ['double', 'email', 'uri']) this.ajv.addFormat(name, true);
    // The formats in which the service returns times: UTC, or the offset of the time zone of a day (spec 01).
    this.ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/);
    this.ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
    // Every JSON number is a double; the document names the format for client generators.
    this.ajv.addFormat('double', true);
    this.ajv.addFormat('int64', true);
    const { paths, components, info } = document;
    this.unlisted = [...(info.description ?? '').matchAll(/`([A-Z][\w-]+)`/g)].map(([, name]) => name.toLowerCase());
    writeFileSync(`${process.env.TEST_DIR}/document.json`, JSON.stringify({ paths }));
    this.ajv.addSchema({ $id: 'openapi', components: { schemas: withoutExtraProperties(components?.schemas) } });
    this.ajv.addSchema({
      $id: 'selected',
      components: { schemas: withoutRequired(withoutExtraProperties(components?.schemas) as object) },
    });
    for (const [template, operations] of Object.entries(paths)) {
      const pattern = new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
      const alike = this.routes.get(segmentsOf(template)) ?? [];
      this.routes.set(segmentsOf(template), [...alike, { template, pattern, operations: operations as never }]);
    }
  }

  /** Routes like the service: a literal path takes precedence over one with `{id}`. */
  private routeOf(method: string, path: string): Route | undefined {
    const alike = this.routes.get(segmentsOf(path))?.filter(({ pattern }) => pattern.test(path)) ?? [];
    const literal = alike.find(({ template }) => template === path);
    return literal ?? alike.find(({ operations }) => method in operations) ?? alike[0];
  }

  /** Throws if the response contradicts the document. An undocumented operation must return 404, 405 or 204. */
  check(exchange: Exchange): void {
    const { method, status } = exchange;
    const [path] = exchange.path.split('?');
    const asked = method === 'head' ? 'get' : method;
    const route = this.routeOf(asked, path);
    const operation = route?.operations[asked];
    if (operation === undefined) {
      if (![404, 405, 204].includes(status))
        throw new Error(`${method} ${path} answered ${status} and is not documented`);
      return;
    }
    const code = codeOf(exchange);
    this.note([operation.operationId, status, code].filter(Boolean).join(' '));
    const response = operation.responses[String(status)];
    if (response === undefined && (status === 304 || method === 'head')) return;
    if (response === undefined)
      throw new Error(`${operation.operationId} answered ${status}, which is not documented: ${exchange.text}`);
    if (code !== undefined && !Object.hasOwn(response.content?.['application/json']?.examples ?? {}, code)) {
      throw new Error(`${operation.operationId} answered ${status} ${code}, which is not documented`);
    }
    this.checkHeaders(operation.operationId, response, exchange);
    if (status === 304 || method === 'head' || response.content === undefined) return;
    const [type] = exchange.contentType.split(';');
    if (status < 400 && operation['x-also-as']?.includes(type) === true) return;
    if (type in response.content && !/[/+]json$/.test(type)) return;
    const isProblem = status >= 400 && type === 'application/problem+json';
    const schema = isProblem ? { $ref: PROBLEM } : response.content[type]?.schema;
    const selected = pathWithFields(exchange);
    // Only reads select; writes ignore these parameters where unknown ones are ignored.
    const profile = status === 200 && method === 'get' ? profileOf(selected) : undefined;
    if (
      schema === undefined ||
      exchange.contentType !== (profile === undefined ? type : `${type}; profile=${profile}`)
    ) {
      throw new Error(`${operation.operationId} answered ${status} as ${exchange.contentType}`);
    }
    const elsewhere = status === 200 ? ELSEWHERE[operation.operationId] : undefined;
    const other = elsewhere?.query.test(exchange.path) === true ? { $ref: elsewhere.schema } : undefined;
    const document = profile === 'partial' ? 'selected' : 'openapi';
    const body: unknown = JSON.parse(exchange.text);
    if (profile === 'compact') return this.checkCompact(schema.$ref, body as { data: unknown });
    const validators = [schema, other]
      .filter((one) => one !== undefined)
      .map(({ $ref }) => this.validatorOf(document + $ref));
    if (validators.some((validate) => validate(body))) {
      if (status === 200 && EVENTS.test(schema.$ref))
        (body as { data: FeedEvent[] }).data.forEach((event) => this.checkEvent(event));
      return;
    }
    const errors = validators.map((validate) => this.ajv.errorsText(validate.errors)).join('; or ');
    throw new Error(`${operation.operationId} ${status} breaks its schema: ${errors}\n${exchange.text}`);
  }

  /** Throws if the body of a webhook contradicts the document. */
  checkWebhook(body: WebhookBody): void {
    if (body.type === 'webhook.test') return;
    const validate = this.validatorOf('openapi#/components/schemas/WebhookPayload');
    if (!validate(body)) throw new Error(`a webhook breaks its schema: ${this.ajv.errorsText(validate.errors)}`);
    this.checkEvent(body.data);
  }

  /** Throws if the data of the event contradicts the component for its type. */
  private checkEvent({ type, data, previous }: FeedEvent): void {
    if (type === undefined) return;
    const { 'x-event-data': components } = resolveReference(this.document, EVENT_DATA) as {
      'x-event-data': Record<string, string>;
    };
    const reference = components[type] ?? components[type.replace(/\..*$/, '.*')];
    if (reference === undefined) throw new Error(`events of the type ${type} have no component`);
    const validate = this.validatorOf(`openapi${reference}`);
    for (const part of [data, previous].filter((one) => one !== undefined)) {
      if (validate(part)) continue;
      throw new Error(`${type} breaks ${reference}: ${this.ajv.errorsText(validate.errors)}\n${JSON.stringify(part)}`);
    }
  }

  /** Compact items have their own closed schema, which is named after that of the whole ones. */
  private checkCompact(envelope: string, { data }: { data: unknown }): void {
    const { properties } = resolveReference(this.document, envelope) as {
      properties: { data: { $ref?: string; items?: { $ref: string } } };
    };
    const validate = this.validatorOf(`openapi${properties.data.items?.$ref ?? properties.data.$ref}Compact`);
    for (const item of [data].flat()) {
      if (!validate(item))
        throw new Error(`${envelope} breaks its compact schema: ${this.ajv.errorsText(validate.errors)}`);
    }
  }

  private checkHeaders(operationId: string, { headers = {} }: DocumentedResponse, exchange: Exchange): void {
    const documented = new Set([...this.unlisted, ...Object.keys(headers).map((name) => name.toLowerCase())]);
    const others = exchange.headers.filter(
      (name) => !documented.has(name) && !OF_HTTP.includes(name) && !name.startsWith(OF_CORS),
    );
    if (others.length === 0) return;
    throw new Error(
      `${operationId} answered ${exchange.status} with headers that are not documented: ${others.join(', ')}`,
    );
  }

  private note(response: string): void {
    if (!this.notes || this.noted.has(response)) return;
    this.noted.add(response);
    appendFileSync(this.notesFile, `${response}\n`);
  }

  private validatorOf(reference: string): ValidateFunction {
    const known = this.validators.get(reference);
    if (known !== undefined) return known;
    const made = this.ajv.compile({ $ref: reference });
    this.validators.set(reference, made);
    return made;
  }
}

/** The profile of a response that is not the whole representation. */
/** The path with the properties that a saved query selects. */
const pathWithFields = ({ path, contentType }: Exchange): string =>
  /[?&]view=viw_/.test(path) && contentType.endsWith('profile=partial') ? `${path}&fields=saved` : path;

function profileOf(path: string): 'partial' | 'compact' | undefined {
  if (/[?&]view=compact/.test(path)) return 'compact';
  return SELECTS.test(path) ? 'partial' : undefined;
}

/** Returns the schemas without required properties. */
const withoutRequired = (schemas: object): object =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, { ...(schema as object), required: [] }]));

/** The error code of a response; undefined if it is a success or has no body. */
function codeOf({ status, text, contentType }: Exchange): string | undefined {
  if (status < 400 || text === '') return undefined;
  const body = JSON.parse(text) as { code?: string; error?: { code: string } };
  return contentType.startsWith('application/problem+json') ? body.code : body.error?.code;
}
