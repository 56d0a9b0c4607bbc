import { Api, GoneError } from './api.mjs';
import { Copy, KINDS } from './copy.mjs';

const { API, TOKEN, FILE = 'mirror.sqlite' } = process.env;
if (API === undefined || TOKEN === undefined) {
  console.error(
    'API or TOKEN is missing: set them to the URL of the API, such as http://localhost:3000/api/v1, and to an access token.',
  );
  process.exit(1);
}

const api = new Api(API, TOKEN);
const copy = new Copy(FILE);
const TYPES = [...Object.keys(KINDS).map((kind) => `${kind}.*`), 'visibility.*', 'endeavour.deleted'].join(',');

/** Reads the lists; the position is read first, so that no change is missed. */
const begin = () =>
  copy.transaction(async () => {
    const { meta } = await api.get('/changes?after=now');
    copy.clear();
    await read('');
    return meta.next;
  });

/** Copies everything that matches the filter. */
async function read(filter) {
  for (const kind of Object.keys(KINDS)) {
    for await (const row of api.list(kind, filter)) copy.put(kind, row);
  }
}

async function apply({ type, entity_id: id, entity_type: kind, data }) {
  if (type === 'endeavour.deleted') return copy.removeEndeavours([id]);
  if (type === 'visibility.lost') {
    copy.removeEndeavours(data.endeavour_ids);
    return copy.removeMoved(id, data.entity_ids ?? []);
  }
  if (type === 'visibility.gained') {
    if (data.endeavour_ids.length > 0) await read(`&endeavour_id=${data.endeavour_ids.join(',')}`);
    return;
  }
  if (type.endsWith('.deleted')) return copy.remove(kind, id);
  // Some events describe something other than the state of their entity.
  if (data.id === id && Number.isInteger(data.revision)) copy.put(kind, data);
}

/** Applies the next page of the feed; returns whether there may be more. */
async function advance(wait) {
  const { position } = copy;
  const { data, meta } = await api.get(`/changes?after=${position}&type=${TYPES}&limit=200&wait=${wait}`);
  if (meta.next !== position) {
    await copy.transaction(async () => {
      for (const event of data) await apply(event);
      return meta.next;
    });
  }
  return meta.has_more;
}

async function follow() {
  for (;;) await advance(30);
}

/** Compares every row with the lists and returns the rows that differ. */
async function differences() {
  const found = [];
  for (const kind of Object.keys(KINDS)) {
    const rows = copy.all(kind);
    for await (const row of api.list(kind, '')) {
      const listed = JSON.stringify(Object.fromEntries(KINDS[kind].map((name) => [name, row[name]])));
      if (rows.get(row.id) !== listed) found.push(`${rows.get(row.id)} in the copy is ${listed} in the list`);
      rows.delete(row.id);
    }
    found.push(...[...rows.values()].map((row) => `${row} in the copy is not in the list`));
  }
  return found;
}

async function verify() {
  while (await advance(0)) continue;
  const found = await differences();
  for (const line of found) console.error(line);
  console.log(found.length === 0 ? `equal: ${copy.size} rows` : `${found.length} rows differ`);
  process.exitCode = found.length === 0 ? 0 : 1;
}

async function main() {
  if (copy.position === undefined) await begin();
  for (;;) {
    try {
      console.log(`${copy.size} rows at position ${copy.position}`);
      return await (process.argv[2] === 'verify' ? verify() : follow());
    } catch (error) {
      if (!(error instanceof GoneError)) throw error;
      console.log('The position is not kept any more; starting again.');
      await begin();
    }
  }
}

await main();
copy.close();
