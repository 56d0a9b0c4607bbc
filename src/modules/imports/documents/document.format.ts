import { EXPORT_KEYS } from '../../../platform/containment/containment.js';
import type { FileFormat, ImportRecord } from '../import-format.js';
import { jsonElements } from '../formats/json-records.js';
import { ownOf, textOf } from '../formats/values.js';

/** The imported sections of an export; each comes after those that it refers to. */
export const DOCUMENT_SECTIONS = [
  'endeavours',
  'demands',
  'tasks',
  'artifacts',
  'templates',
  'rituals',
  'comments',
  'relations',
] as const;
export type DocumentSection = (typeof DOCUMENT_SECTIONS)[number];

/** The sections that describe people and resources. */
export const PEOPLE_SECTIONS = ['members', 'resources'];

/** Approvals are looked up by their record and stored in its metadata as decisions of another system. */
export const APPROVALS = 'approvals';

/** Sections that are not kept are read, too, so that a long one is not taken for one record. */
const PATHS = { array: [], object: ['$.endeavour', ...[...EXPORT_KEYS, 'members'].map((name) => `$.${name}.*`)] };

const KEPT: readonly string[] = [...DOCUMENT_SECTIONS, ...PEOPLE_SECTIONS, APPROVALS];
const KEYS: Readonly<Record<string, string>> = { members: 'resource_id', [APPROVALS]: 'entity_id' };

async function* records(file: AsyncIterable<Buffer>): AsyncGenerator<ImportRecord> {
  for await (const { path, line, value } of jsonElements(file, PATHS)) {
    const section = path === '$.endeavour' ? 'endeavours' : path.slice('$.'.length);
    const key = textOf(value[ownOf(KEYS, section) ?? 'id']);
    // An export contains only the names of endeavours whose home is elsewhere.
    if (KEPT.includes(section) && key !== undefined) yield { line, section, key, data: value };
  }
}

/** The export of an endeavour or organization. */
export const documentFormat: FileFormat = { source: 'worksmith', records, sections: DOCUMENT_SECTIONS };
