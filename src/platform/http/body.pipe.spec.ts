import { Refusal, type FieldFault } from '../../common/errors.js';
import { Create, ignoreUnknownFields, Patch, PathId } from './body.pipe.js';
import {
  Email,
  Flag,
  Hours,
  Id,
  Ids,
  Instant,
  JsonObject,
  Language,
  Link,
  ListOf,
  Name,
  OneOf,
  Password,
  ResourceRef,
  Secret,
  Text,
  When,
  Whole,
  Word,
  Words,
  Zone,
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
  @When() due_date?: string;
  @JsonObject() metadata?: Record<string, unknown>;
}

class PatchTask {
  @Name({ nullable: false }) title?: string;
  @Text() description?: string | null;
  @Link() url?: string | null;
  @When() due_date?: string | null;
  @Word() kind?: string | null;
  @OneOf(['planned', 'active'], { nullable: false }) status?: string;
  @JsonObject() metadata?: Record<string, unknown> | null;
}

class Goal {
  @Name({ required: true }) title: string;
  @Flag() is_met?: boolean;
}

class Place {
  @ListOf(Goal, { min: 1, max: 3 }) goals?: Goal[];
  @Words({ max: 3, each: 5 }) tags?: string[];
  @Ids('task', { max: 2 }) tasks?: string[];
}

class Everything {
  @Whole({ min: 2, max: 4 }) quorum?: number;
  @Flag() is_on?: boolean;
  @Instant() starts_at?: string;
  @Email() email?: string;
  @Password() password?: string;
  @Secret() current_password?: string;
  @Zone() time_zone?: string;
  @Language() language?: string;
  @Link() url?: string;
  @Word({ pattern: /^[a-z]+$/ }) type?: string;
  @Id(['task', 'demand']) entity_id?: string;
}

function refusalOf(act: () => unknown): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

/** The faults of a body as `field: code`, in their order. */
function faultsOf(pipe: { transform(body: unknown, metadata: never): unknown }, body: unknown): string[] {
  const refusal = refusalOf(() => pipe.transform(body, undefined as never));
  expect(refusal.code).toBe('invalid_input');
  const { fields } = refusal.details as { fields: FieldFault[] };
  expect(fields.every(({ message }) => message.length > 10)).toBe(true);
  return fields.map(({ field, code }) => `${field}: ${code}`);
}

const read = <T>(pipe: { transform(body: unknown, metadata: never): T }, body: unknown): T =>
  pipe.transform(body, undefined as never);
const json = (text: string): unknown => JSON.parse(text);
const titleOf = (text: string) => Create(Titled).transform({ title: text }, undefined as never);
const deep = (levels: number): unknown => json('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));
const wide = (keys: number): unknown => Object.fromEntries(Array.from({ length: keys }, (_, n) => [n, n]));
const withMetadata = (value: unknown) => ({ metadata: value });

afterEach(() => ignoreUnknownFields(false));

describe('a creation', () => {
  const pipe = Create(CreateTask);
  const whole = {
    title: '  Paint ',
    description: ' raw\n',
    endeavour_id: PLACE,
    estimate: 1.5,
    due_date: '2026-02-28',
  };

  it('is an instance of its class, names trimmed, prose untouched', () => {
    const dto = read(pipe, whole);
    expect(dto).toBeInstanceOf(CreateTask);
    expect({ ...(dto as CreateTask) }).toEqual({ ...whole, title: 'Paint' });
  });

  it('takes null for absent', () => {
    const dto = read(pipe, { ...whole, description: null, status: null, metadata: null }) as CreateTask;
    expect('description' in dto || 'status' in dto || 'metadata' in dto).toBe(false);
    expect(faultsOf(pipe, { ...whole, title: null })).toEqual(['title: required']);
  });

  it('names all faults at once, in the order of the fields, unknown ones last', () => {
    const body = { nonsense: 1, id: TASK, due_date: '2026-02-30', estimate: '4', status: 'late', description: 7 };
    expect(faultsOf(Create(CreateTask, { representation: ['id', 'title'] }), body)).toEqual([
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

  it('says what is allowed and never what was sent', () => {
    const body = { ...whole, status: 'sekret', assignee_id: 'sekret', due_date: 'sekret', estimate: 'sekret' };
    const refusal = refusalOf(() => read(pipe, body));
    expect(JSON.stringify([refusal.message, refusal.details])).not.toContain('sekret');
    expect(refusal.details?.fields).toContainEqual(
      expect.objectContaining({ field: 'status', allowed: ['planned', 'active'] }),
    );
  });

  it.each([[[]], ['text'], [4], [true], [null]])('is an object and not %j', (body) => {
    expect(faultsOf(pipe, body)).toEqual(['body: invalid_type']);
  });

  it('without a body is an empty one', () => {
    expect(faultsOf(pipe, undefined)).toEqual(['title: required', 'endeavour_id: required']);
    expect(read(Create(Place), undefined)).toBeInstanceOf(Place);
  });

  it('lists at most 100 faults, and long names cut', () => {
    const body = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n}${'x'.repeat(5000)}`, n]));
    const faults = faultsOf(Create(Place), body);
    expect(faults).toHaveLength(100);
    expect(faults[0]).toHaveLength(100 + ': unknown_field'.length);
  });

  it('drops unknown fields where they are to be ignored', () => {
    ignoreUnknownFields(true);
    expect({ ...(read(pipe, { ...whole, nonsense: 1, id: 2 }) as CreateTask) }).toEqual({ ...whole, title: 'Paint' });
    expect(read(Create(Place), { goals: [{ title: 'a', nonsense: 1 }] })).toEqual({ goals: [{ title: 'a' }] });
  });

  it("keeps the client's own object as it was sent and pollutes nothing", () => {
    const metadata = '{"constructor":1,"__proto__":{"polluted":true},"prototype":{},"a":{"__proto__":null,"b":[1,{}]}}';
    const dto = read(pipe, json(`{"title":"a","endeavour_id":"${PLACE}","metadata":${metadata}}`)) as CreateTask;
    expect(JSON.stringify(dto.metadata)).toBe(metadata);
    expect(Object.prototype).not.toHaveProperty('polluted');
    expect(dto).not.toHaveProperty('polluted');
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])('does not know a field named %s', (name) => {
    const body = json(`{"title":"a","endeavour_id":"${PLACE}","${name}":{"title":"b"}}`);
    expect(faultsOf(pipe, body)).toEqual([`${name}: unknown_field`]);
  });

  it('survives objects where scalars are due', () => {
    const odd = '{"constructor":1,"__proto__":{"then":1},"then":{}}';
    const body = json(
      `{"title":${odd},"description":[${odd}],"estimate":{},"endeavour_id":[["a"]],"assignee_id":[null]}`,
    );
    expect(faultsOf(pipe, body)).toEqual(
      ['title', 'description', 'endeavour_id', 'assignee_id', 'estimate'].map((name) => `${name}: invalid_type`),
    );
  });

  it('survives what is nested 6,000 deep', () => {
    const well = deep(6000);
    expect(faultsOf(pipe, { ...whole, title: well, nonsense: well, metadata: well })).toEqual([
      'title: invalid_type',
      'metadata: out_of_range',
      'nonsense: unknown_field',
    ]);
  });
});

describe('a patch', () => {
  const pipe = Patch(PatchTask, { representation: ['id', 'title'] });

  it('has only what was sent', () => {
    const dto = read(pipe, { description: 'new' });
    expect(dto).toBeInstanceOf(PatchTask);
    expect(Object.keys(dto)).toEqual(['description']);
    expect('title' in dto).toBe(false);
    expect(Object.keys(read(pipe, {}))).toEqual([]);
  });

  it('clears by null and by an empty string', () => {
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

  it('does not clear what must have a value', () => {
    expect(faultsOf(pipe, { title: null, status: null })).toEqual(['title: not_nullable', 'status: not_nullable']);
    expect(faultsOf(pipe, { title: ' ', status: '' })).toEqual(['title: too_short', 'status: invalid_value']);
    expect(faultsOf(Patch(Titled), { title: null })).toEqual(['title: not_nullable']);
    expect(Object.keys(read(Patch(Titled), {}))).toEqual([]);
  });

  it("keeps nulls inside the client's own object, which mean removal there", () => {
    expect(read(pipe, { metadata: { a: null } })).toEqual({ metadata: { a: null } });
  });

  it('tells what is only read from what is unknown', () => {
    expect(faultsOf(pipe, { id: TASK, nonsense: 1 })).toEqual(['id: read_only', 'nonsense: unknown_field']);
  });
});

describe('lists', () => {
  const pipe = Create(Place);

  it('are read item by item into their classes', () => {
    const dto = read(pipe, {
      goals: [{ title: ' a ' }, { title: 'b', is_met: true }],
      tags: [' x '],
      tasks: [TASK],
    }) as Place;
    expect(dto.goals?.every((goal) => goal instanceof Goal)).toBe(true);
    expect(dto).toEqual({ goals: [{ title: 'a' }, { title: 'b', is_met: true }], tags: ['x'], tasks: [TASK] });
  });

  it('tell which item is at fault', () => {
    const goals = [{ title: 'a' }, 'b', { title: '', is_met: 1, more: {} }];
    const body = { goals, tags: ['x', ' x', 'abcdef'], tasks: [TASK, PLACE], more: 1 };
    expect(faultsOf(pipe, body)).toEqual([
      'goals.1: invalid_type',
      'goals.2.title: too_short',
      'goals.2.is_met: invalid_type',
      'goals.2.more: unknown_field',
      'tags.1: invalid_value',
      'tags.2: too_long',
      'tasks.1: invalid_format',
      'more: unknown_field',
    ]);
  });

  it('have a type and a size', () => {
    const tags = ['a', 'b', 'c', 'd'];
    expect(faultsOf(pipe, { goals: [], tags, tasks: {} })).toEqual([
      'goals: too_short',
      'tags: too_long',
      'tasks: invalid_type',
    ]);
    expect(faultsOf(pipe, { goals: [{}, {}, {}, {}], tags: [null, '', {}], tasks: [TASK, TASK] })).toEqual([
      'goals: too_long',
      'tags.0: invalid_type',
      'tags.1: too_short',
      'tags.2: invalid_type',
      'tasks.1: invalid_value',
    ]);
    expect(read(pipe, { tags: [], tasks: [] })).toEqual({ tags: [], tasks: [] });
  });
});

describe('a field', () => {
  const pipe = Create(Everything);
  const codeOf = (name: string, value: unknown): string | undefined => {
    try {
      read(pipe, { [name]: value });
      return undefined;
    } catch {
      return faultsOf(pipe, { [name]: value })[0]?.split(': ')[1];
    }
  };

  it.each([
    ['quorum', [2, 4], { invalid_type: [2.5, '2', true, {}], out_of_range: [1, 5, -0] }],
    ['is_on', [true, false], { invalid_type: ['true', 1, 'false', {}, []] }],
    [
      'starts_at',
      ['2026-11-20T10:00:00Z'],
      { invalid_date: ['2026-11-20', 'soon', ''], invalid_type: [1_700_000_000] },
    ],
    ['email', ['ann@example.com', ' ANN@Müller.de '], { invalid_format: ['ann', 'ann@host'], too_short: [' '] }],
    [
      'password',
      ['twelve chars', '\u{1f511}'.repeat(128), ' '.repeat(12)],
      {
        too_short: ['eleven char', '\u{1f511}'.repeat(11), 'e\u0301'.repeat(11)],
        too_long: ['x'.repeat(129), '\ufdfa'.repeat(12), 'x'.repeat(100_000)],
        invalid_type: [123_456_789_012],
      },
    ],
    [
      'current_password',
      ['x', 'x'.repeat(4096)],
      { too_short: [''], too_long: ['x'.repeat(4097)], invalid_type: [{}] },
    ],
    ['time_zone', ['Europe/Berlin', 'UTC', 'Etc/GMT+5'], { invalid_format: ['+01:00', 'PST', 'Mars/Olympus', ''] }],
    ['language', ['de', 'zh-Hant-TW'], { invalid_format: ['d', 'de_DE', ''], too_long: ['x'.repeat(36)] }],
    [
      'url',
      ['http://a', 'https://a.example/b?c#d', `https://a/${'x'.repeat(2038)}`],
      {
        invalid_format: ['ftp://a', 'https://', 'javascript:alert(1)', 'https://a b', 'http:///x', '//a', ''],
        too_long: [`https://a/${'x'.repeat(2039)}`],
        invalid_text: ['https://a/\u0000'],
      },
    ],
    [
      'type',
      ['story', ' story '],
      { invalid_format: ['Story', 'a b'], too_short: ['  '], too_long: ['x'.repeat(101)] },
    ],
    ['entity_id', [TASK], { invalid_format: [PLACE, TASK.toUpperCase(), 'tsk_', ''], invalid_type: [7] }],
  ] as [string, unknown[], Record<string, unknown[]>][])('%s has its boundaries', (name, good, bad) => {
    for (const value of good) expect([value, codeOf(name, value)]).toEqual([value, undefined]);
    for (const [code, values] of Object.entries(bad)) {
      for (const value of values) expect([value, codeOf(name, value)]).toEqual([value, code]);
    }
  });

  it('with an e-mail address has its normal form', () => {
    expect(read(pipe, { email: ' Ann@MÜLLER.de ' })).toEqual({ email: 'ann@xn--mller-kva.de' });
  });

  it('counts code points', () => {
    expect(titleOf('\u{1f600}'.repeat(500)).title).toHaveLength(1000);
    expect(() => titleOf('\u{1f600}'.repeat(501))).toThrow('title must be at most 500 characters long.');
    expect(() => titleOf('x'.repeat(501))).toThrow(Refusal);
    expect(titleOf(` ${'x'.repeat(500)} `).title).toHaveLength(500);
  });

  it.each(['\u0000', '\u0008', '\u001f', '\u007f', '\u0085', '\ud800', 'a\udc00b'])('holds no %j', (text) => {
    const pipeOfTask = Create(CreateTask);
    const body = { title: `x${text}x`, description: text, endeavour_id: PLACE };
    expect(faultsOf(pipeOfTask, body)).toEqual(['title: invalid_text', 'description: invalid_text']);
  });

  it.each([0, 0.0001, 1.1, 123_456_789.1234, 1e9])('takes %d hours', (estimate) => {
    expect(read(Patch(CreateTask), { estimate })).toEqual({ estimate });
  });

  it.each([-1, -0.0001, 1e9 + 1, 0.00001, 1.23456, 1e300])('refuses %d hours', (estimate) => {
    expect(faultsOf(Patch(CreateTask), { estimate })).toEqual(['estimate: out_of_range']);
  });

  it.each([Number.NaN, Infinity, '1', true, [1]])('does not take %p for hours', (estimate) => {
    expect(faultsOf(Patch(CreateTask), { estimate })).toEqual(['estimate: invalid_type']);
  });

  it.each(['me', `res_${'a'.repeat(32)}`, `usr_${'a'.repeat(32)}`])('takes %s for a resource', (assignee) => {
    expect(read(Patch(CreateTask), { assignee_id: assignee })).toEqual({ assignee_id: assignee });
  });

  it.each(['Me', TASK, `res_${'A'.repeat(32)}`])('does not take %s for a resource', (assignee) => {
    expect(faultsOf(Patch(CreateTask), { assignee_id: assignee })).toEqual(['assignee_id: invalid_format']);
  });

  it("keeps the limits of a client's own object", () => {
    expect(() => read(Patch(PatchTask), withMetadata(deep(32)))).not.toThrow();
    expect(() => read(Patch(PatchTask), withMetadata(wide(2000)))).not.toThrow();
    expect(() => read(Patch(PatchTask), withMetadata({ a: 'ü'.repeat(49_996) }))).not.toThrow();
    expect(faultsOf(Patch(PatchTask), withMetadata(deep(33)))).toEqual(['metadata: out_of_range']);
    expect(faultsOf(Patch(PatchTask), withMetadata(wide(2001)))).toEqual(['metadata: out_of_range']);
    expect(faultsOf(Patch(PatchTask), withMetadata({ a: 'ü'.repeat(49_997) }))).toEqual(['metadata: too_long']);
    expect(faultsOf(Patch(PatchTask), withMetadata([]))).toEqual(['metadata: invalid_type']);
  });
});

describe('an id in a path', () => {
  it('is one of its kinds, or nothing is there', () => {
    expect(read(PathId('task'), TASK)).toBe(TASK);
    expect(read(PathId('task', 'endeavour'), PLACE)).toBe(PLACE);
    expect(refusalOf(() => read(PathId('task'), PLACE)).code).toBe('not_found');
    expect(refusalOf(() => read(PathId('task'), 'abc\u0000')).code).toBe('not_found');
  });
});
