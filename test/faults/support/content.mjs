const SECTIONS = ['demands', 'tasks', 'artifacts', 'comments', 'relations', 'rituals'];
/** Fields that differ in every import; an endeavour beside its origin has another key. */
const KEYS = ['key', 'former_keys', 'demand_key', 'source_key', 'target_key'];
const OWN = [...KEYS, 'id', 'endeavour_name', 'updated_at', 'revision'];

/** The entities of an export as comparable texts, without their ids and without metadata about their import. */
export function contentOf(document) {
  const things = SECTIONS.flatMap((section) => document[section].map((thing) => ({ section, thing })));
  const names = new Map(things.map(({ thing }) => [thing.id, thing.external_ref?.id ?? thing.title ?? thing.content]));
  names.set(document.endeavour.id, 'the endeavour');
  return things.map(({ section, thing }) => {
    // The import creates each relation anew, at its own time and by its own user.
    const omitted = section === 'relations' ? [...OWN, 'created_at', 'created_by'] : OWN;
    const said = Object.entries(thing).filter(([name]) => !omitted.includes(name));
    const named = said.map(([name, value]) => [name, name === 'metadata' ? own(value) : (names.get(value) ?? value)]);
    return JSON.stringify([section, Object.fromEntries(named)]);
  });
}

const own = ({ imported: _imported, ...metadata }) => metadata;

/** The texts that occur more often in one of the two lists. */
export function differencesOf(before, after) {
  const counts = new Map();
  for (const text of before) counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const text of after) counts.set(text, (counts.get(text) ?? 0) - 1);
  return [...counts].filter(([, count]) => count !== 0).map(([text]) => text);
}
