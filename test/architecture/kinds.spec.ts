import { newId, isId, kindOf } from '../../src/common/ids.js';
import { KINDS, isPlaced, type Kind } from '../../src/common/kinds.js';
import { CONTAINMENT_OBJECTS } from '../../src/platform/containment/containment.database.js';

/** Kinds whose ids stay in a document that leaves their container: people, parts of the entity itself, and secrets that no other names. */
const STAYING: Kind[] = [
  'user',
  'resource',
  'dod_endorsement',
  'dod_check',
  'dod_result',
  'invitation',
  'access_token',
  'passkey',
  'domain',
  'identity_provider',
  'identity',
  'scim_token',
  'oauth_client',
  'registration_token',
  'webhook',
];

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

  it('are replaced in a document that leaves their container, except those that may stay', () => {
    const source = CONTAINMENT_OBJECTS.functions?.join('\n') ?? '';
    const replaced = /\(\(\?:([a-z|]+)\)_/.exec(source)?.[1].split('|') ?? [];
    const placed = (Object.keys(KINDS) as Kind[]).filter(isPlaced);
    const expected = placed.filter((kind) => !STAYING.includes(kind)).map((kind) => KINDS[kind]);
    expect(replaced.toSorted()).toEqual(expected.toSorted());
  });

  it('are UUIDs of version 7', () => {
    expect(newId('task')).toMatch(/^tsk_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  });
});
