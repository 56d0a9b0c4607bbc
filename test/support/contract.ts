import { appendFileSync, writeFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenAPIObject } from '@nestjs/swagger';

interface Exchange {
  method: string;
  path: string;
  status: number;
  contentType: string;
  text: string;
}

interface DocumentedOperation {
  operationId: string;
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}

interface Route {
  template: string;
  pattern: RegExp;
  operations: Record<string, DocumentedOperation>;
}

const segmentsOf = (path: string): number => path.split('/').length;

/** What any repetition can be told, whatever the operation. */
const BY_KEY = 'request_in_progress';

/** Holds every response of a test run against the OpenAPI document of the running code. */
export class Contract {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly noted = new Set<string>();
  /** By the number of segments of their paths. */
  private readonly routes = new Map<number, Route[]>();

  /** What comes about by chance is not `noted` as seen: a documented answer wants a test of its own. */
  constructor(
    document: OpenAPIObject,
    private readonly notes = true,
  ) {
    // The one form in which times leave the service (spec 01).
    this.ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    writeFileSync(`${process.env.CONTRACT_DIR}/document.json`, JSON.stringify(document));
    this.ajv.addSchema({ $id: 'openapi', ...document });
    for (const [template, operations] of Object.entries(document.paths)) {
      const pattern = new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
      const alike = this.routes.get(segmentsOf(template)) ?? [];
      this.routes.set(segmentsOf(template), [...alike, { template, pattern, operations: operations as never }]);
    }
  }

  /** As the service routes it: where a path is also another's `{id}`, the one that has the method. */
  private routeOf(method: string, path: string): Route | undefined {
    const alike = this.routes.get(segmentsOf(path))?.filter(({ pattern }) => pattern.test(path)) ?? [];
    return alike.find(({ operations }) => method in operations) ?? alike[0];
  }

  /** Throws where the response is not what the document promises. A path that the document does not know is 404 or 405. */
  check(exchange: Exchange): void {
    const { method, path, status } = exchange;
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
    if (status === 304 || method === 'head') return;
    const response = operation.responses[String(status)];
    if (response === undefined)
      throw new Error(`${operation.operationId} answered ${status}, which is not documented: ${exchange.text}`);
    if (code !== undefined && code !== BY_KEY && !response.description.split(', ').includes(code)) {
      throw new Error(`${operation.operationId} answered ${status} ${code}, which is not documented`);
    }
    if (exchange.contentType.startsWith('application/problem+json')) return;
    if (response.content === undefined) return;
    if (exchange.contentType !== 'application/json; charset=utf-8') {
      throw new Error(`${operation.operationId} answered ${status} as ${exchange.contentType}`);
    }
    const validate = this.validatorOf(route?.template ?? '', method, status);
    if (!validate(JSON.parse(exchange.text))) {
      throw new Error(
        `${operation.operationId} ${status} breaks its schema: ${this.ajv.errorsText(validate.errors)}\n${exchange.text}`,
      );
    }
  }

  private note(answer: string): void {
    if (!this.notes || this.noted.has(answer)) return;
    this.noted.add(answer);
    appendFileSync(`${process.env.CONTRACT_DIR}/${process.pid}.seen`, `${answer}\n`);
  }

  private validatorOf(template: string, method: string, status: number): ValidateFunction {
    const key = `${method} ${template} ${status}`;
    const known = this.validators.get(key);
    if (known !== undefined) return known;
    const pointer = template.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
    const $ref = `openapi#/paths/${pointer}/${method}/responses/${status}/content/application~1json/schema`;
    const made = this.ajv.compile({ $ref });
    this.validators.set(key, made);
    return made;
  }
}

/** What a failure says it is; nothing where it is none, or has no body. */
function codeOf({ status, text, contentType }: Exchange): string | undefined {
  if (status < 400 || text === '') return undefined;
  const body = JSON.parse(text) as { code?: string; error?: { code: string } };
  return contentType.startsWith('application/problem+json') ? body.code : body.error?.code;
}
