import { dateOf, dateOrderOf, orderIn, type DateRules } from './dates.js';
import { foldName } from '../../../common/texts/fold-name.js';
import { conceptOf, linkColumnOf } from './headings.js';
import { directionOf } from './links.js';
import { monthOf } from './months.js';
import { readNumber } from './numbers.js';
import { statusByWords } from './statuses.js';

const read = (text: string, rules: Partial<DateRules> = {}): string | undefined => {
  const date = dateOf(text, { timezone: 'UTC', ...rules });
  return date === undefined || date === 'ambiguous' ? date : (date.instant ?? date.day);
};

describe('a date', () => {
  it.each([
    ['2025-06-21', '2025-06-21'],
    ['2025-06-21T16:14:00Z', '2025-06-21T16:14:00.000Z'],
    ['2025-06-21T16:14:00.123+0200', '2025-06-21T14:14:00.123Z'],
    ['2025-06-21 16:14', '2025-06-21T16:14:00.000Z'],
    ['6/21/2025 16:14', '2025-06-21T16:14:00.000Z'],
    ['21/6/2025', '2025-06-21'],
    ['21.06.2025 16:14', '2025-06-21T16:14:00.000Z'],
    ['05.06.2025', '2025-06-05'],
    ['2025/6/5 9:05', '2025-06-05T09:05:00.000Z'],
    ['06/06/2025', '2025-06-06'],
    ['Sat Jun 21 2025 16:14:00 GMT+0000 (GMT)', '2025-06-21T16:14:00.000Z'],
    ['Sat Jun 21 2025 16:14:00 GMT+0200 (Central European Summer Time)', '2025-06-21T14:14:00.000Z'],
    ['Sat, 21 Jun 2025 16:14:00 +0200', '2025-06-21T14:14:00.000Z'],
    ['21/Jun/25 4:14 PM', '2025-06-21T16:14:00.000Z'],
    ['21/Jun/25 12:00 AM', '2025-06-21T00:00:00.000Z'],
    ['02/oct/25 2:15 PM', '2025-10-02T14:15:00.000Z'],
    ['30/ene/26 8:00 AM', '2026-01-30T08:00:00.000Z'],
    ['3/Mär/26 14:05', '2026-03-03T14:05:00.000Z'],
    ['12/déc./25 9:00', '2025-12-12T09:00:00.000Z'],
    ['5/août/25', '2025-08-05'],
    ['2/fev/26', '2026-02-02'],
    ['21. Juni 2025', '2025-06-21'],
    ['21 de junio de 2025', '2025-06-21'],
    ['June 21, 2025 4:14 p.m.', '2025-06-21T16:14:00.000Z'],
    ['Jun 21st, 2025', '2025-06-21'],
    ['2025年6月21日 16:14', '2025-06-21T16:14:00.000Z'],
    ['2025年６月２１日', '2025-06-21'],
    ['21/6月/25 午後4:14', '2025-06-21T16:14:00.000Z'],
    ['Jun 5, 2025, 9:00', '2025-06-05T09:00:00.000Z'],
  ])('such as %s is read', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each(['6/7/2025', '06/07/2025 10:00', '1-2-2025', '06.07.25', '1/2/03'])(
    'such as %s can be read in two ways',
    (text) => {
      expect(read(text)).toBe('ambiguous');
    },
  );

  it.each([
    'soon',
    '',
    '2025-02-30',
    '31/Apr/25',
    '45829',
    '21/Foo/25',
    '13/13/2025',
    '25:00',
    'Q3 2025',
    '21/Jun/25 16:14 PM',
  ])('is not %j', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('is read in the order and time zone of the options', () => {
    expect(read('6/7/2025', { order: 'DMY' })).toBe('2025-07-06');
    expect(read('6/7/2025', { order: 'MDY' })).toBe('2025-06-07');
    expect(read('06.07.25', { order: 'YMD' })).toBe('2006-07-25');
    expect(read('6/7/25 0:30', { order: 'DMY', timezone: 'Europe/Berlin' })).toBe('2025-07-05T22:30:00.000Z');
    expect(read('2025-06-21T16:14:00+02:00', { timezone: 'Asia/Tokyo' })).toBe('2025-06-21T14:14:00.000Z');
    expect([dateOrderOf('dd/MM/yyyy'), dateOrderOf('M-D-YY'), dateOrderOf('yyyy'), dateOrderOf('DYM')]).toEqual([
      'DMY',
      'MDY',
      undefined,
      undefined,
    ]);
    expect(['de', 'ja', 'en', 'en-US', 'en-GB', 'pt-BR'].map(orderIn)).toEqual([
      'DMY',
      'YMD',
      undefined,
      'MDY',
      'DMY',
      'DMY',
    ]);
  });

  it('has no month of another name', () => {
    expect(['Dezember', 'outubro', 'set', 'juil.', '12月', '13月', 'xyz'].map(monthOf)).toEqual([
      12,
      10,
      9,
      7,
      12,
      undefined,
      undefined,
    ]);
  });
});

describe('a number', () => {
  it.each([
    ['5', 5],
    ['3,5', 3.5],
    ['3.25', 3.25],
    ['0.125', 0.125],
    ['1,234.5', 1234.5],
    ['1.234,5', 1234.5],
    ['1,234,567', 1_234_567],
    ['1 234,5', 1234.5],
    ["1'234.5", 1234.5],
    ['-2', -2],
    ['１２', 12],
    ['1,234', 'ambiguous'],
    ['1.234', 'ambiguous'],
    ['5h', undefined],
    ['1,2,3', undefined],
    ['', undefined],
  ])('%j is read as %j', (text, expected) => {
    expect(readNumber(text)).toBe(expected);
  });

  it('is read with the decimal mark of the options', () => {
    expect(['1,234', '1.234'].map((text) => readNumber(text, ','))).toEqual([1.234, 1234]);
    expect(['1,234', '1.234'].map((text) => readNumber(text, '.'))).toEqual([1234, 1.234]);
  });
});

describe('a state', () => {
  it.each([
    ['Tareas por hacer', 'planned'],
    ['Em andamento', 'active'],
    ['Terminé(e)', 'done'],
    ['In Bearbeitung', 'active'],
    ['完了', 'done'],
    ['クローズ', 'done'],
    ['Wontfix', 'canceled'],
    ["WON'T DO", 'canceled'],
    ['won’t fix', 'canceled'],
    ['Nicht reproduzierbar', 'canceled'],
    ['01 - Doing', 'active'],
    ['🚧 In Progress 🚧', 'active'],
    ['Done | Fertig', 'done'],
    ['Done (2023)', 'done'],
    ['[WIP] Backlog', 'planned'],
  ])('%s is %s', (name, status) => {
    expect(statusByWords(name)?.status).toBe(status);
  });

  it.each(['Garage', 'Not done', 'To Do / Done', 'Done is better than perfect', '2023', ''])('%j is none', (name) => {
    expect(statusByWords(name)).toBeUndefined();
  });
});

describe('a heading', () => {
  it.each([
    ['Issue key', 'key'],
    ['Vorgangsschlüssel', 'key'],
    ['Clé de ticket', 'key'],
    ['Chave da item', 'key'],
    ['課題キー', 'key'],
    ['ID de la incidencia', 'number'],
    ['Résumé', 'title'],
    ['resumo', 'title'],
    ['要約', 'title'],
    ['Fälligkeitsdatum', 'due'],
    ['Date d’échéance', 'due'],
    ['期限', 'due'],
    ['Categoría de estado', 'category'],
    ['Persona asignada', 'assignee'],
    ['Stichwörter', 'labels'],
    ['DUE DATE', 'due'],
    ['Custom field (Epic Link)', 'parent'],
    ['Champs personnalisés (Lien d’epic)', 'parent'],
    ['Clave principal', 'parent'],
    ['Sprint', undefined],
    ['Custom field (Story Points)', 'points'],
    ['Story-Punkte', 'points'],
    ['constructor', undefined],
  ])('%s means %s', (heading, concept) => {
    expect(conceptOf(heading)).toBe(concept);
  });

  it('of links has a direction and the name of the type', () => {
    const headings = [
      'Inward issue link (Blocks)',
      'Link de item externo (Relates)',
      '外部への課題リンク (Duplicate)',
      'Links (3)',
    ];
    expect(headings.map(linkColumnOf)).toEqual([
      { name: 'Blocks', isIncoming: true },
      { name: 'Relates', isIncoming: false },
      { name: 'Duplicate', isIncoming: false },
      undefined,
    ]);
  });
});

it('a link is known by its phrase or by the name of its type', () => {
  const of = (name: string, isIncoming: boolean, phrase?: string) =>
    directionOf({ name, phrase, isIncoming }, undefined);
  expect(of('Blocks', true)).toEqual({ type: 'blocks', isIncoming: true });
  expect(of('Abhängigkeit', false)).toEqual({ type: 'depends_on' });
  expect(of('Custom', true, 'está bloqueado por')).toEqual({ type: 'blocks', isIncoming: true });
  expect(of('Custom', true, 'ブロックされている')).toEqual({ type: 'blocks', isIncoming: true });
  expect(of('Custom', false)).toBeUndefined();
  expect(directionOf({ name: 'Custom', isIncoming: true }, 'child_of')).toEqual({
    type: 'parent_of',
    isIncoming: false,
  });
});

it('names are the same in every form of their letters', () => {
  const forms = ["O'Brien", 'O’Brien', 'OʼBRIEN', ' O’Brien\u200b'];
  expect(new Set(forms.map(foldName)).size).toBe(1);
  expect(foldName('İlker')).toBe(foldName('ilker'));
  expect(foldName('Zoë')).not.toBe(foldName('Zoe'));
});
