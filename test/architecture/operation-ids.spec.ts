import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { TestApp } from '../support/test-app.js';

/** One line for each published operation: `tasks_list GET /api/v1/tasks`. Lines are added, never changed or removed. */
const PUBLISHED = join(import.meta.dirname, 'operation-ids.txt');

/** The verbs with which an id may end, after the words of its path. */
const VERBS: Record<string, readonly string[]> = {
  get: ['get', 'list'],
  post: ['create', 'add', 'set', 'run', 'check'],
  patch: ['update'],
  put: ['put', 'replace'],
  delete: ['delete', 'remove', 'delete_others'],
};

/** Paths of POST whose last word is a verb already, such as `/tasks/claim` and `/auth/reset-password`. */
const ENDS_IN_VERB =
  /_(?:accept|archive|unarchive|bulk|cancel|change|claim|close|complete|confirm|disable|dismiss|dry_run|enable|finish|fork|login|logout|move|preview|read|reassign|redact|redeliver|refuse|register|reply|rotate|setup|start|step_up|test|transfer|undo|upload|verify|(?:change|reset|forgot)_password|delete_account|resend_verification|rotate_secret)$/;

/** Operations whose words are those of another operation. */
const DISTINGUISHED = ['invitations_accept_own POST /api/v1/invitations/{id}/accept'];

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
}

describe('the ids of operations', () => {
  let document: OpenAPIObject;
  let operations: { method: string; path: string; operation: Operation; line: string }[];

  beforeAll(async () => {
    const app = await TestApp.open();
    ({ document } = app);
    await app.close();
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
        method,
        path,
        operation,
        line: `${operation.operationId} ${method.toUpperCase()} ${path}`,
      })),
    );
  });

  const published = (): string[] => readFileSync(PUBLISHED, 'utf8').split('\n').filter(Boolean);

  it('that are published are never removed, renamed or given to another path', () => {
    const lines = new Set(operations.map(({ line }) => line));
    expect(published().filter((line) => !lines.has(line))).toEqual([]);
  });

  it('are all published: a new operation adds its line to test/architecture/operation-ids.txt', () => {
    const known = new Set(published());
    expect(operations.map(({ line }) => line).filter((line) => !known.has(line))).toEqual([]);
    expect(published()).toEqual([...known].sort());
  });

  it('are the words of the path and a verb of the method', () => {
    const odd = operations.filter(({ method, path, operation, line }) => {
      const words = path.replace('/api/v1', '').split('/').slice(1);
      const own = words.filter((word) => !word.startsWith('{')).map((word) => word.replace(/\.\w+$/, ''));
      const stem = own.join('_').replaceAll('-', '_');
      if (method === 'post' && operation.operationId === stem) return !ENDS_IN_VERB.test(stem);
      return (
        !VERBS[method].some((verb) => operation.operationId === `${stem}_${verb}`) && !DISTINGUISHED.includes(line)
      );
    });
    expect(odd.map(({ line }) => line)).toEqual([]);
  });

  it('end in _list where the response is a list, and in _get where it is not', () => {
    const schemas = document.components?.schemas as Record<string, { properties?: { data?: { type?: string } } }>;
    const odd = operations.filter(({ method, operation: { operationId, responses } }) => {
      const { $ref = '' } = responses['200']?.content?.['application/json']?.schema ?? {};
      const isList = schemas[$ref.slice('#/components/schemas/'.length)]?.properties?.data?.type === 'array';
      return method === 'get' && operationId.endsWith('_list') !== isList;
    });
    expect(odd.map(({ line }) => line)).toEqual([]);
  });
});
