import { ApiError, type FieldError } from '../../../../common/errors.js';
import { CreateBody } from '../body.pipe.js';
import { Bool, Ids, ListOf, Name, StringList } from '../fields.js';

const TASK = `tsk_${'0'.repeat(32)}`;
const PLACE = `edv_${'1'.repeat(32)}`;

class Goal {
  @Name({ required: true }) title: string;
  @Bool() is_met?: boolean;
}

class Place {
  @ListOf(Goal, { min: 1, max: 3 }) goals?: Goal[];
  @StringList({ max: 3, each: 5 }) tags?: string[];
  @Ids('task', { max: 2 }) tasks?: string[];
}

const read = (body: unknown): Place => CreateBody(Place).transform(body, {} as never);

/** The errors of a body as `field: code`, in their order. */
function fieldErrorsIn(body: unknown): string[] {
  try {
    read(body);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const fields = error.details?.fields as FieldError[];
    return fields.map(({ field, code }) => `${field}: ${code}`);
  }
}

describe('lists', () => {
  it('contain instances of their item class', () => {
    const dto = read({
      goals: [{ title: ' a ' }, { title: 'b', is_met: true }],
      tags: [' x '],
      tasks: [TASK],
    });
    expect(dto.goals?.every((goal) => goal instanceof Goal)).toBe(true);
    expect(dto).toEqual({ goals: [{ title: 'a' }, { title: 'b', is_met: true }], tags: ['x'], tasks: [TASK] });
  });

  it('report errors with the index of the item', () => {
    const goals = [{ title: 'a' }, 'b', { title: '', is_met: 1, more: {} }];
    const body = { goals, tags: ['x', ' x', 'abcdef'], tasks: [TASK, PLACE], more: 1 };
    expect(fieldErrorsIn(body)).toEqual([
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

  it('are checked for their type and size', () => {
    const tags = ['a', 'b', 'c', 'd'];
    expect(fieldErrorsIn({ goals: [], tags, tasks: {} })).toEqual([
      'goals: too_short',
      'tags: too_long',
      'tasks: invalid_type',
    ]);
    expect(fieldErrorsIn({ goals: [{}, {}, {}, {}], tags: [null, '', {}], tasks: [TASK, TASK] })).toEqual([
      'goals: too_long',
      'tags.0: invalid_type',
      'tags.1: too_short',
      'tags.2: invalid_type',
      'tasks.1: invalid_value',
    ]);
    expect(read({ tags: [], tasks: [] })).toEqual({ tags: [], tasks: [] });
  });
});
