import { isRecord, type JsonRecord } from '../../../common/json.js';
import {
  ITEMS,
  type ImportedPerson,
  type ImportFormat,
  type ImportItem,
  type ImportOptions,
} from '../import-format.js';
import type { ImportRecord, Lookup, RecordName } from '../import-format.js';
import { jsonElements } from './json-records.js';
import { recordOf, recordsOf, statusOf, textOf, timeOf, titleOf } from './values.js';

const SECTIONS = ['actions', 'cards', 'checklists', 'lists', 'members'];
const PATHS = { array: [], object: SECTIONS.map((name) => `$.${name}.*`) };

async function* records(file: AsyncIterable<Buffer>): AsyncGenerator<ImportRecord> {
  for await (const { path, line, value } of jsonElements(file, PATHS)) {
    const section = path.slice('$.'.length);
    if (section === 'cards') yield { line, section: ITEMS, key: textOf(value.id) ?? null, data: value };
    else if (section === 'checklists') yield { line, section, key: textOf(value.idCard) ?? null, data: value };
    else if (section !== 'actions') yield { line, section, key: textOf(value.id) ?? null, data: value };
    else if (value.type === 'commentCard') {
      yield { line, section, key: textOf(recordOf(recordOf(value.data).card).id) ?? null, data: value };
    }
  }
}

const person = (value: unknown): ImportedPerson | undefined => {
  const { fullName, username } = recordOf(value);
  if (textOf(fullName) === undefined && textOf(username) === undefined) return undefined;
  return { name: textOf(fullName), login: textOf(username) };
};

/** Returns the status by the name of the card's list; planned if the name is unknown. */
function stateOf(card: JsonRecord, list: string | undefined, options: ImportOptions): ImportItem['status'] {
  if (card.dueComplete === true) return 'done';
  try {
    return statusOf(list, options) ?? 'planned';
  } catch {
    return 'planned';
  }
}

const firstMemberOf = ({ idMembers }: JsonRecord): string =>
  (Array.isArray(idMembers) ? textOf(idMembers[0]) : undefined) ?? '';

/** Returns the creation time of a card, which is in the first 8 hexadecimal digits of its id, in seconds. */
function createdAtOf(id: string | null): string | undefined {
  return id !== null && /^[0-9a-f]{24}$/.test(id)
    ? new Date(Number.parseInt(id.slice(0, 8), 16) * 1_000).toISOString()
    : undefined;
}

function item({ key, data }: ImportRecord, options: ImportOptions, lookup: Lookup): ImportItem {
  const own = (section: string) => (key === null ? [] : lookup(section, key));
  const shared = (section: string, id: unknown) => lookup(section, textOf(id) ?? '').at(0);
  const list = textOf(recordOf(shared('lists', data.idList)).name);
  const state = stateOf(data, list, options);
  const isArchived = data.closed === true && state !== 'done';
  const labels = recordsOf(data.labels).flatMap(({ name, color }) => textOf(name) ?? textOf(color) ?? []);
  const checks = own('checklists').flatMap(({ checkItems }) => recordsOf(checkItems));
  return {
    externalId: key,
    url: textOf(data.shortUrl) ?? textOf(data.url),
    title: titleOf(data.name),
    description: textOf(data.desc),
    status: isArchived ? 'canceled' : state,
    canceledReason: isArchived ? 'Archived in Trello.' : undefined,
    createdAt: createdAtOf(key),
    endedAt: timeOf(data.dateLastActivity, 'dateLastActivity'),
    dueDate: timeOf(data.due, 'due'),
    assignee: person(shared('members', firstMemberOf(data))),
    metadata: {
      ...(list !== undefined && { list }),
      ...(labels.length > 0 && { labels }),
      ...(checks.length > 0 && {
        checklist: checks.map(({ name, state: done }) => ({ title: textOf(name) ?? '', checked: done === 'complete' })),
      }),
    },
    comments: own('actions').map((action) => ({
      key: textOf(action.id) ?? '',
      author: person(action.memberCreator),
      content: textOf(isRecord(action.data) ? action.data.text : undefined) ?? '',
      createdAt: timeOf(action.date, 'date'),
    })),
    relations: [],
  };
}

function needs({ key, data }: ImportRecord): readonly RecordName[] {
  const shared = [['lists', textOf(data.idList) ?? ''] as const, ['members', firstMemberOf(data)] as const];
  return key === null ? shared : [...shared, ['actions', key], ['checklists', key]];
}

export const trelloFormat: ImportFormat = {
  source: 'trello',
  records,
  needs,
  item,
};
