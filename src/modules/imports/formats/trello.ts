import { isRecord, type JsonRecord } from '../../../common/texts/json.js';
import { importedNumber } from '../../../common/work-keys.js';
import { ITEMS, type ImportedPerson, type ImportItem } from '../reading/import-format.js';
import type { ImportFormat } from '../reading/file-format.js';
import type { ImportOptions, ImportRecord, RecordName } from '../reading/import-format.js';
import type { ImportNotes } from '../import-notes.js';
import type { Reading } from '../reading/reading.js';
import { FileShape } from './file-shape.js';
import { jsonElements } from './json-records.js';
import { isEmpty, recordOf, recordsOf, saidOf, textOf, textListOf, namesIn } from './values.js';

const SECTIONS = ['actions', 'cards', 'checklists', 'customFields', 'lists', 'members'];
const PATHS = { array: [], object: SECTIONS.map((name) => `$.${name}.*`) };
const EXPECTS = 'the JSON export of one board, with cards and lists';
const BOARD = 'board';
const COMMENTS = ['commentCard', 'copyCommentCard'];

/** Properties that are read, or that describe the thing to programs only. */
const READ_OF_BOARD: ReadonlySet<string> = new Set([
  ...SECTIONS,
  ...namesIn(
    'id nodeId name closed url shortUrl shortLink limits dateLastView dateLastActivity subscribed starred',
    'pinned labels labelNames memberships prefs',
  ),
]);
const READ_OF_CARD: ReadonlySet<string> = new Set(
  namesIn(
    'id nodeId name desc closed idList idMembers labels idLabels idChecklists due start dueComplete',
    'dateCompleted dateClosed dateLastActivity shortUrl url shortLink idShort idBoard badges pos limits',
    'checkItemStates subscribed descData cover dueReminder checklists actions customFieldItems',
  ),
);

async function* records(
  file: AsyncIterable<Buffer>,
  _options: ImportOptions,
  notes: ImportNotes,
): AsyncGenerator<ImportRecord> {
  const shape = new FileShape();
  for await (const { path, line, value } of jsonElements(file, PATHS, shape.onProperty)) {
    const section = path.slice('$.'.length);
    if (section === 'cards') {
      shape.items += 1;
      yield { line, section: ITEMS, key: textOf(value.id) ?? null, data: value };
    } else if (section === 'checklists') yield { line, section, key: textOf(value.idCard) ?? null, data: value };
    else if (section !== 'actions') yield { line, section, key: textOf(value.id) ?? null, data: value };
    else if (COMMENTS.includes(textOf(value.type) ?? '')) {
      yield { line, section, key: textOf(recordOf(recordOf(value.data).card).id) ?? null, data: value };
    }
  }
  yield { line: 0, section: BOARD, key: BOARD, data: { closed: shape.valueOf('closed') === true } };
  shape.assertRecognized('trello', EXPECTS, ['cards', 'lists']);
  shape.noteUnread(notes, READ_OF_BOARD);
}

const person = (value: unknown): ImportedPerson | undefined => {
  const { fullName, username } = recordOf(value);
  if (textOf(fullName) === undefined && textOf(username) === undefined) return undefined;
  return { name: textOf(fullName), login: textOf(username) };
};

/** Returns the creation time of a card, which is in the first 8 hexadecimal digits of its id, in seconds. */
function createdAtOf(id: string | null): string | undefined {
  return id !== null && /^[0-9a-f]{24}$/.test(id)
    ? new Date(Number.parseInt(id.slice(0, 8), 16) * 1_000).toISOString()
    : undefined;
}

/** The state of a card: by the mark of its due date, its list, and whether card, list or board are archived. */
function stateOf(card: JsonRecord, list: JsonRecord, board: JsonRecord, reading: Reading) {
  const isDone = card.dueComplete === true || !isEmpty(card.dateCompleted);
  const status = isDone ? ('done' as const) : reading.status(list.name, 'list');
  if (status === 'done' || status === 'canceled') return { status, isArchived: false };
  if (![card, list, board].some(({ closed }) => closed === true)) return { status, isArchived: false };
  const isArchived = card.closed !== true;
  const canceledReason = !isArchived
    ? 'Archived in Trello.'
    : list.closed === true
      ? 'The list is archived in Trello.'
      : 'The board is closed in Trello.';
  return { status: 'canceled' as const, canceledReason, isArchived };
}

function item({ key, data }: ImportRecord, reading: Reading): ImportItem | undefined {
  const own = (section: string) => (key === null ? [] : reading.lookup(section, key));
  const shared = (section: string, id: unknown) => recordOf(reading.lookup(section, textOf(id) ?? '').at(0));
  const list = shared('lists', data.idList);
  const { isArchived, ...state } = stateOf(data, list, shared(BOARD, BOARD), reading);
  if (isArchived && reading.skipsArchived('list', textOf(list.name) ?? 'the board')) return undefined;
  for (const [name, value] of Object.entries(data)) {
    if (!READ_OF_CARD.has(name) && !isEmpty(value)) reading.note('property', name, 'not imported');
  }
  const labels = recordsOf(data.labels).flatMap(({ name, color }) => textOf(name) ?? textOf(color) ?? []);
  const actions = own('actions');
  const badges = recordOf(data.badges);
  reading.truncated('comments', actions.length, badges.comments);
  return {
    externalId: key,
    number: importedNumber(data.idShort),
    url: textOf(data.shortUrl) ?? textOf(data.url),
    title: reading.title(data.name),
    description: saidOf(data, ['desc'], textOf),
    ...state,
    stage: textOf(list.name),
    createdAt: createdAtOf(key),
    endedAt: reading.time(data.dateCompleted ?? data.dateClosed ?? data.dateLastActivity, 'dateLastActivity'),
    startDate: saidOf(data, ['start'], (value, name) => reading.day(value, name)),
    dueDate: saidOf(data, ['due'], (value, name) => reading.dayOrTime(value, name)),
    ...(Array.isArray(data.idMembers) && {
      assignees: textListOf(data.idMembers).map((id) => person(shared('members', id)) ?? { login: id }),
    }),
    ...(Object.hasOwn(data, 'labels') && { labels: labels.length === 0 ? null : labels }),
    metadata: {
      ...(textOf(list.name) !== undefined && { list: list.name }),
      // Where earlier releases kept the start.
      ...(Object.hasOwn(data, 'start') && { start_date: null }),
      ...checklistsOf(own('checklists'), badges, reading),
      ...customValues(data, (id) => shared('customFields', id), reading),
    },
    surplus: positionsOf(data, list),
    comments: actions.map((action) => ({
      key: textOf(action.id) ?? '',
      author: person(action.memberCreator),
      content: textOf(isRecord(action.data) ? action.data.text : undefined) ?? '',
      createdAt: reading.sideTime(action.date, 'date of a comment'),
    })),
    relations: [],
  };
}

/** Returns the values of custom fields that the endeavour declares, by their names, and notes the others. */
function customValues(card: JsonRecord, fieldOf: (id: unknown) => JsonRecord, reading: Reading): JsonRecord {
  const values: JsonRecord = {};
  for (const { idCustomField: id, idValue, value } of recordsOf(card.customFieldItems)) {
    const { name: said, options } = fieldOf(id);
    const name = textOf(said) ?? textOf(id) ?? 'custom field';
    const chosen = recordsOf(options).find((option) => option.id === idValue);
    const { text, number, date, checked } = recordOf(isRecord(chosen) ? chosen.value : value);
    const field = reading.field(name);
    if (field === undefined) reading.note('property', `${name} (custom field)`, 'not imported');
    else values[field.key] = text ?? number ?? date ?? checked ?? null;
  }
  return values;
}

/** Returns the items of all checklists, in their order on the card, and the names of several checklists. */
function checklistsOf(checklists: readonly JsonRecord[], badges: JsonRecord, reading: Reading): JsonRecord {
  const sorted = checklists.toSorted(byPosition);
  const items = sorted.map(({ checkItems }) => recordsOf(checkItems).toSorted(byPosition));
  const all = items.flat();
  reading.truncated('checklist items', all.length, badges.checkItems);
  for (const { due, idMember } of all) {
    if (!isEmpty(due)) reading.note('property', 'checkItems.due', 'not imported');
    if (!isEmpty(idMember)) reading.note('property', 'checkItems.idMember', 'not imported');
  }
  return {
    checklist:
      all.length === 0
        ? null
        : all.map(({ name, state }) => ({ title: textOf(name) ?? '', checked: state === 'complete' })),
    checklists:
      sorted.length < 2 ? null : sorted.map(({ name }, at) => ({ name: textOf(name) ?? '', items: items[at].length })),
  };
}

function byPosition(a: JsonRecord, b: JsonRecord): number {
  return Number(a.pos ?? 0) - Number(b.pos ?? 0) || 0;
}

/** The places of the card in its list and of the list on the board. */
const positionsOf = (card: JsonRecord, list: JsonRecord): JsonRecord => ({
  ...(typeof card.pos === 'number' && { position: card.pos }),
  ...(typeof list.pos === 'number' && { list_position: list.pos }),
});

function needs({ key, data }: ImportRecord): readonly RecordName[] {
  const shared = [
    [BOARD, BOARD] as const,
    ['lists', textOf(data.idList) ?? ''] as const,
    ...textListOf(data.idMembers).map((id) => ['members', id] as const),
    ...recordsOf(data.customFieldItems).map(({ idCustomField: id }) => ['customFields', textOf(id) ?? ''] as const),
  ];
  return key === null ? shared : [...shared, ['actions', key], ['checklists', key]];
}

export const trelloFormat: ImportFormat = { source: 'trello', hasColumns: false, records, needs, item };
