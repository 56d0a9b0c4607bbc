import { EXPORT_KEYS } from '../../../platform/containment/containment.js';
import { isRecord } from '../../../common/texts/json.js';
import { FileShape } from '../formats/file-shape.js';
import type { ImportOptions, ImportRecord } from '../reading/import-format.js';
import type { FileFormat } from '../reading/file-format.js';
import type { ImportNotes } from '../import-notes.js';
import { jsonElements } from '../formats/json-records.js';
import { ownOf, textOf } from '../formats/values.js';

/** The imported sections of an export, each after the sections that it refers to. */
export const DOCUMENT_SECTIONS = [
  'endeavours',
  'iterations',
  'demands',
  'tasks',
  'time_entries',
  'artifacts',
  'templates',
  'rituals',
  'comments',
  'views',
  'rules',
  'relations',
] as const;
export type DocumentSection = (typeof DOCUMENT_SECTIONS)[number];

/** The sections that describe people and resources. */
export const PEOPLE_SECTIONS = ['members', 'resources'];

/** The section of approvals, which are stored in the metadata of their entity as decisions of another system. */
export const APPROVALS = 'approvals';

/** Sections that are not imported are parsed too; a long one would otherwise exceed the size limit of a record. */
const PATHS = { array: [], object: ['$.endeavour', ...[...EXPORT_KEYS, 'members'].map((name) => `$.${name}.*`)] };

const STORED_SECTIONS: readonly string[] = [...DOCUMENT_SECTIONS, ...PEOPLE_SECTIONS, APPROVALS];
const KEYS: Readonly<Record<string, string>> = { members: 'resource_id', [APPROVALS]: 'entity_id' };

const EXPECTS = 'the export of an endeavour or organization of this service, with its sections';
const CONTAINERS = ['endeavour', 'organization', ...EXPORT_KEYS];
/** Sections that docs/imports.md says are not imported; the report names others. */
const LEFT_OUT = ['ritual_runs', 'dod_policies', 'endorsements', 'dod_checks', 'changes'];
const ABOUT = ['endeavour', 'organization', 'version', 'exported_at', 'kind'];
const READ: ReadonlySet<string> = new Set([...ABOUT, ...STORED_SECTIONS, ...LEFT_OUT]);

const WITHOUT_FILES =
  'an export does not contain files; length, sha256 and media_type are kept in metadata.imported.file, and the file can be ' +
  'uploaded again';

async function* records(
  file: AsyncIterable<Buffer>,
  _options: ImportOptions,
  notes: ImportNotes,
): AsyncGenerator<ImportRecord> {
  const shape = new FileShape();
  for await (const { path, line, value } of jsonElements(file, PATHS, shape.onProperty)) {
    const section = path === '$.endeavour' ? 'endeavours' : path.slice('$.'.length);
    const key = textOf(value[ownOf(KEYS, section) ?? 'id']);
    // Endeavours whose home organization is not exported have only a name.
    if (STORED_SECTIONS.includes(section) && key !== undefined) yield { line, section, key, data: value };
    if (section === 'artifacts' && isRecord(value.file)) notes.add('property', 'artifacts.file', WITHOUT_FILES, line);
  }
  shape.assertRecognized('worksmith', EXPECTS, CONTAINERS);
  shape.noteUnread(notes, READ);
}

/** The export of an endeavour or organization. */
export const documentFormat: FileFormat = {
  source: 'worksmith',
  hasColumns: false,
  records,
  sections: DOCUMENT_SECTIONS,
};
