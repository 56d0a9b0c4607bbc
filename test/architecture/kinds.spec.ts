import { newId, isId, kindOf } from '../../src/common/ids.js';
import { KINDS, type Kind } from '../../src/common/kinds.js';

describe('kinds and ids', () => {
  it('have unique prefixes', () => {
    const prefixes = Object.values(KINDS);
    expect(new Set(prefixes).size).toBe(prefixes.length);
    for (const prefix of prefixes) expect(prefix).toMatch(/^[a-z]{3}$/);
  });

  it('can be derived from ids', () => {
    for (const kind of Object.keys(KINDS) as Kind[]) expect(kindOf(newId(kind))).toBe(kind);
  });

  it('are unique and sort in the order of their creation', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('task'));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    '',
    'tsk_',
    'tsk_' + 'A'.repeat(32),
    'tsk_' + 'a'.repeat(31),
    'xxx_' + 'a'.repeat(32),
    'toString',
    null,
    7,
    {},
  ])('do not include %s', (value) => {
    expect(kindOf(value)).toBeUndefined();
    expect(isId('task', value)).toBe(false);
  });

  it('are UUIDs of version 7', () => {
    expect(newId('task')).toMatch(/^tsk_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  });
});
