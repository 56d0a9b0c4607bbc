import { newId } from '../../common/ids.js';
import { mentionableNames, mentioned, mentionedIds } from './mention.rules.js';

const people = [
  { id: 'ann', name: 'Ann' },
  { id: 'ann lee', name: 'Ann Lee' },
  { id: 'tanaka', name: '田中' },
  { id: 'zoë', name: 'Zoë' },
  { id: 'a.b', name: 'a.b (ops)' },
];

describe('mentions', () => {
  it.each([
    ['Hello @Ann!', ['ann']],
    ['@田中さんへ', ['tanaka']],
    ['お願い@Annさん', ['ann']],
    ['@Ann Lee, please', ['ann lee']],
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
    expect(mentionedIds(`@${newId('user')}, @${id} and @${id}`)).toHaveLength(2);
    expect(mentioned(text, [{ id, name: id }])).toEqual([id]);
  });

  it('start after an @ and end where a word ends', () => {
    expect(mentionableNames('Hello @Ann Lee, ask\n@Ben\nnow, a@b.c, @ x, @\u{1f680}1')).toEqual([
      'Ann Lee, ask',
      'Ann Lee,',
      'Ann Lee',
      'Ann',
      'Ben',
      '\u{1f680}1',
    ]);
  });

  it('are searched in parts of the text that do not overlap', () => {
    const text = '@a.b '.repeat(10_000);
    expect(mentionableNames(text)).toEqual(['a.b', 'a']);
    expect(mentionableNames('@'.repeat(50_000))).toEqual([]);
    const dense = mentionableNames(`@${'a.'.repeat(25_000)}`);
    expect(dense).toHaveLength(50);
  });
});
