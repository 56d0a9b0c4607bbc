import { newId } from '../../common/ids.js';
import { mentioned, mentionedIds } from './mention.rules.js';

const people = [
  { id: 'ann', name: 'Ann' },
  { id: 'ann lee', name: 'Ann Lee' },
  { id: 'other ann lee', name: 'ann lee' },
  { id: 'zoë', name: 'Zoë' },
  { id: 'a.b', name: 'a.b (ops)' },
];

describe('mentions', () => {
  it.each([
    ['Hello @Ann!', ['ann']],
    ['@ANN and @zoë', ['ann', 'zoë']],
    ['@Ann Lee, please', ['ann lee', 'other ann lee']],
    ['@Ann Leeson', ['ann']],
    ['@Anna', []],
    ['@Ann_', []],
    ['mail ann@Ann', []],
    ['(@Ann)', ['ann']],
    ['@@Ann', ['ann']],
    ['@Ann @Ann', ['ann']],
    ['ask @a.b (ops).', ['a.b']],
    ['@', []],
    ['Ann', []],
  ])('of %j are %j', (text, expected) => {
    expect(mentioned(text, people)).toEqual(expected);
  });

  it('may be ids', () => {
    const [id, other] = [newId('resource'), newId('resource')];
    const text = `@${id}, x@${other}, @${other}a and @${newId('task')}`;
    expect(mentionedIds(text)).toEqual([id]);
    expect(mentioned(text, [{ id, name: id }])).toEqual([id]);
  });
});
