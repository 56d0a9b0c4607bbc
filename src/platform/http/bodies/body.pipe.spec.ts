import { ApiError, type FieldError } from '../../../common/errors.js';
import { CreateBody, PatchBody, PathId } from './body.pipe.js';
import { ignoreUnknownFields } from '../../context/unknown-fields.js';
import {
  Hours,
  Id,
  JsonObject,
  Link,
  ListOf,
  Name,
  OneOf,
  ResourceRef,
  Text,
  DateOrDateTime,
  Keyword,
} from './fields.js';

const TASK = `tsk_${'0'.repeat(32)}`;
const PLACE = `edv_${'1'.repeat(32)}`;

class Titled {
  @Name({ required: true }) title: string;
}

class CreateTask extends Titled {
  @Text() description?: string;
  @OneOf(['planned', 'active'], { nullable: false }) status?: string;
  @Id('endeavour', { required: true }) endeavour_id: string;
  @ResourceRef() assignee_id?: string;
  @Hours() estimate?: number;
  @DateOrDateTime() due_date?: string;
  @JsonObject() metadata?: Record<string, unknown>;
}

class PatchTask {
  @Name({ nullable: false }) title?: string;
  @Text() description?: string | null;
  @Link() url?: string | null;
  @DateOrDateTime() due_date?: string | null;
  @Keyword() kind?: string | null;
  @OneOf(['planned', 'active'], { nullable: false }) status?: string;
  @JsonObject() metadata?: Record<string, unknown> | null;
}

class Goal {
  @Name({ required: true }) title: string;
}

class Place {
  @ListOf(Goal) goals?: Goal[];
}

function errorOf(work: () => unknown): ApiError {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

/** The errors of a body as `field: code`, in their order. */
function fieldErrorsOf(pipe: { transform(body: unknown, metadata: never): unknown }, body: unknown): string[] {
  const refusal = errorOf(() => pipe.transform(body, undefined as never));
  expect(refusal.code).toBe('invalid_input');
  const { fields } = refusal.details as { fields: FieldError[] };
  expect(fields.every(({ message }) => message.length > 10)).toBe(true);
  return fields.map(({ field, code }) => `${field}: ${code}`);
}

const read = <T>(pipe: { transform(body: unknown, metadata: never): T }, body: unknown): T =>
  pipe.transform(body, undefined as never);
const json = (text: string): unknown => JSON.parse(text);
const deep = (levels: number): unknown => json('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));

afterEach(() => ignoreUnknownFields(false));

describe('a creation', () => {
  const pipe = CreateBody(CreateTask);
  const whole = {
    title: '  Paint ',
    description: ' raw\n',
    endeavour_id: PLACE,
    estimate: 1.5,
    due_date: '2026-02-28',
  };

  it('is an instance of its class with trimmed names and unchanged prose', () => {
    const dto = read(pipe, whole);
    expect(dto).toBeInstanceOf(CreateTask);
    expect({ ...dto }).toEqual({ ...whole, title: 'Paint' });
  });

  it('treats null as absent', () => {
    const dto = read(pipe, { ...whole, description: null, status: null, metadata: null });
    expect('description' in dto || 'status' in dto || 'metadata' in dto).toBe(false);
    expect(fieldErrorsOf(pipe, { ...whole, title: null })).toEqual(['title: required']);
  });

  it('reports all errors at once, in the order of the fields, unknown ones last', () => {
    const body = { nonsense: 1, id: TASK, due_date: '2026-02-30', estimate: '4', status: 'late', description: 7 };
    expect(fieldErrorsOf(CreateBody(CreateTask, { representation: ['id', 'title'] }), body)).toEqual([
      'title: required',
      'description: invalid_type',
      'status: invalid_value',
      'endeavour_id: required',
      'estimate: invalid_type',
      'due_date: invalid_date',
      'nonsense: unknown_field',
      'id: read_only',
    ]);
  });

  it('lists the allowed values but never the value that was sent', () => {
    const body = { ...whole, status: 'sekret', assignee_id: 'sekret', due_date: 'sekret', estimate: 'sekret' };
    const refusal = errorOf(() => read(pipe, body));
    expect(JSON.stringify([refusal.message, refusal.details])).not.toContain('sekret');
    expect(refusal.details?.fields).toContainEqual(
      expect.objectContaining({ field: 'status', allowed: ['planned', 'active'] }),
    );
  });

  it.each([[[]], ['text'], [4], [true], [null]])('must be an object, not %j', (body) => {
    expect(fieldErrorsOf(pipe, body)).toEqual(['body: invalid_type']);
  });

  it('without a body is read as an empty object', () => {
    expect(fieldErrorsOf(pipe, undefined)).toEqual(['title: required', 'endeavour_id: required']);
    expect(read(CreateBody(Place), undefined)).toBeInstanceOf(Place);
  });

  it('reports at most 100 errors, with long names shortened', () => {
    const body = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n}${'x'.repeat(5000)}`, n]));
    const fieldErrors = fieldErrorsOf(CreateBody(Place), body);
    expect(fieldErrors).toHaveLength(100);
    expect(fieldErrors[0]).toHaveLength(100 + ': unknown_field'.length);
  });

  it('drops unknown fields if they are ignored', () => {
    ignoreUnknownFields(true);
    expect({ ...read(pipe, { ...whole, nonsense: 1, id: 2 }) }).toEqual({ ...whole, title: 'Paint' });
    expect(read(CreateBody(Place), { goals: [{ title: 'a', nonsense: 1 }] })).toEqual({ goals: [{ title: 'a' }] });
  });

  it("keeps the client's own object unchanged and pollutes no prototype", () => {
    const metadata = '{"constructor":1,"__proto__":{"polluted":true},"prototype":{},"a":{"__proto__":null,"b":[1,{}]}}';
    const dto = read(pipe, json(`{"title":"a","endeavour_id":"${PLACE}","metadata":${metadata}}`));
    expect(JSON.stringify(dto.metadata)).toBe(metadata);
    expect(Object.prototype).not.toHaveProperty('polluted');
    expect(dto).not.toHaveProperty('polluted');
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])('does not know a field named %s', (name) => {
    const body = json(`{"title":"a","endeavour_id":"${PLACE}","${name}":{"title":"b"}}`);
    expect(fieldErrorsOf(pipe, body)).toEqual([`${name}: unknown_field`]);
  });

  it('rejects objects in place of scalars', () => {
    const odd = '{"constructor":1,"__proto__":{"then":1},"then":{}}';
    const body = json(
      `{"title":${odd},"description":[${odd}],"estimate":{},"endeavour_id":[["a"]],"assignee_id":[null]}`,
    );
    expect(fieldErrorsOf(pipe, body)).toEqual(
      ['title', 'description', 'endeavour_id', 'assignee_id', 'estimate'].map((name) => `${name}: invalid_type`),
    );
  });

  it('rejects objects nested 6,000 levels deep without a stack overflow', () => {
    const well = deep(6000);
    expect(fieldErrorsOf(pipe, { ...whole, title: well, nonsense: well, metadata: well })).toEqual([
      'title: invalid_type',
      'metadata: out_of_range',
      'nonsense: unknown_field',
    ]);
  });
});

describe('a patch', () => {
  const pipe = PatchBody(PatchTask, { representation: ['id', 'title'] });

  it('has only the properties that were sent', () => {
    const dto = read(pipe, { description: 'new' });
    expect(dto).toBeInstanceOf(PatchTask);
    expect(Object.keys(dto)).toEqual(['description']);
    expect('title' in dto).toBe(false);
    expect(Object.keys(read(pipe, {}))).toEqual([]);
  });

  it('clears a field by null or an empty string', () => {
    expect({ ...read(pipe, { description: null, due_date: null, metadata: null }) }).toEqual({
      description: null,
      due_date: null,
      metadata: null,
    });
    expect({ ...read(pipe, { description: '', url: '', due_date: '', kind: '  ' }) }).toEqual({
      description: null,
      url: null,
      due_date: null,
      kind: null,
    });
  });

  it('does not clear a field that must have a value', () => {
    expect(fieldErrorsOf(pipe, { title: null, status: null })).toEqual(['title: not_nullable', 'status: not_nullable']);
    expect(fieldErrorsOf(pipe, { title: ' ', status: '' })).toEqual(['title: too_short', 'status: invalid_value']);
    expect(fieldErrorsOf(PatchBody(Titled), { title: null })).toEqual(['title: not_nullable']);
    expect(Object.keys(read(PatchBody(Titled), {}))).toEqual([]);
  });

  it("keeps nulls in the client's own object, where they remove properties", () => {
    expect(read(pipe, { metadata: { a: null } })).toEqual({ metadata: { a: null } });
  });

  it('distinguishes read-only from unknown fields', () => {
    expect(fieldErrorsOf(pipe, { id: TASK, nonsense: 1 })).toEqual(['id: read_only', 'nonsense: unknown_field']);
  });
});

describe('an id in a path', () => {
  it('is of one of the kinds, or not found', () => {
    expect(read(PathId('task'), TASK)).toBe(TASK);
    expect(read(PathId('task', 'endeavour'), PLACE)).toBe(PLACE);
    expect(errorOf(() => read(PathId('task'), PLACE)).code).toBe('not_found');
    expect(errorOf(() => read(PathId('task'), 'abc\u0000')).code).toBe('not_found');
  });
});
