import { operationsOf, resolve } from './document.js';

const ID = /\b([a-z]{3})_[0-9a-f]{32}\b/g;
const PREFIX = /([a-z]{3})\)?_\[0-9a-f\]\{32\}/;

/** Where things of each kind are listed: `tsk` at `/api/v1/tasks`, by the pattern of the ids in the response. */
export function listsOf(document) {
  const lists = new Map();
  for (const { method, path, operation } of operationsOf(document)) {
    if (method !== 'get' || path.includes('{') || !operation.operationId.endsWith('_list')) continue;
    const response = resolve(document, operation.responses['200']);
    const envelope = resolve(document, response?.content?.['application/json']?.schema);
    const item = resolve(document, envelope?.properties?.data?.items);
    const [, prefix] = PREFIX.exec(item?.properties?.id?.pattern ?? '') ?? [];
    if (prefix === undefined || lists.has(prefix)) continue;
    const names = (operation.parameters ?? []).map((one) => resolve(document, one).name);
    lists.set(prefix, { path, isByCreator: names.includes('creator_id'), tag: operation.tags[0] });
  }
  return lists;
}

/** The prefixes of the ids in a text. */
export const prefixesIn = (text) => [...new Set([...text.matchAll(ID)].map(([, prefix]) => prefix))];

/** The text with each id replaced by the own one of its kind, if there is one. */
export const withOwnIds = (text, ids) => text.replaceAll(ID, (id, prefix) => ids[prefix] ?? id);

/** Finds things of the signed-in person, so that what the page fills in works when it is sent. */
export class OwnThings {
  #ask;
  #found = new Map();

  /** `ask` resolves to the `data` of a read. */
  constructor(document, ask) {
    this.#ask = ask;
    this.lists = listsOf(document);
  }

  /** The ids by their prefixes, of the kinds that the text mentions; kinds of which there is none are absent. */
  async idsFor(text) {
    const prefixes = prefixesIn(text);
    const ids = await Promise.all(prefixes.map((prefix) => this.#idOf(prefix)));
    const pairs = prefixes.map((prefix, at) => [prefix, ids[at]]);
    return Object.fromEntries(pairs.filter(([, id]) => id !== undefined));
  }

  /** Forgets what was found: a request may have created the first thing of its kind. */
  forget() {
    this.#found.clear();
  }

  #idOf(prefix) {
    const known = this.#found.get(prefix);
    if (known !== undefined) return known;
    const finding = this.#find(prefix).catch(() => undefined);
    this.#found.set(prefix, finding);
    return finding;
  }

  async #find(prefix) {
    if (prefix === 'usr' || prefix === 'res') {
      const { id, resource_id } = await this.#ask('/api/v1/auth/whoami');
      return prefix === 'usr' ? id : resource_id;
    }
    const list = this.lists.get(prefix);
    if (list === undefined) return undefined;
    const own = list.isByCreator ? await this.#ask(`${list.path}?limit=1&creator_id=me`) : [];
    const [first] = own.length > 0 ? own : await this.#ask(`${list.path}?limit=1`);
    return first?.id;
  }
}
