import { randomFrom } from './data/texts.mjs';
import {
  administrator,
  endeavourOfTask,
  FOCUS,
  idOf,
  LISTED,
  memberOf,
  SEATS,
  WIDE_ENDEAVOURS,
  WIDE_USERS,
  wideUser,
} from './data/shape.mjs';
import { tokenFor } from './tokens.mjs';

const READS = 30_000;
const CHANGED = 20_000;
const WRITES = 5_000;
const SEARCHES = 500;
const WALKERS = 4;
const API = '/api/v1';

/** Makes the requests of each route as HTTP text. */
export class Requests {
  constructor(size, texts, secret) {
    this.size = size;
    this.texts = texts;
    this.secret = secret;
    this.tokens = new Map();
    this.random = randomFrom(11);
  }

  below(most) {
    return Math.floor(this.random() * most);
  }

  many(count, make) {
    return Array.from({ length: count }, () => [make()]);
  }

  /** One request of that user as text. */
  ask(user, method, path, body) {
    const content = body === undefined ? '' : JSON.stringify(body);
    const headers = [
      `${method} ${API}${path} HTTP/1.1`,
      'host: 127.0.0.1',
      `authorization: Bearer ${this.tokenOf(user)}`,
      ...(body === undefined
        ? []
        : ['content-type: application/json', `content-length: ${Buffer.byteLength(content)}`]),
    ];
    return `${headers.join('\r\n')}\r\n\r\n${content}`;
  }

  tokenOf(user) {
    let token = this.tokens.get(user);
    if (token === undefined) {
      token = tokenFor(this.secret, idOf('usr', user), idOf('ses', user));
      this.tokens.set(user, token);
    }
    return token;
  }

  /** The member who sends the requests about an endeavour; the same for all endeavours with the same members. */
  callerIn(endeavour) {
    return memberOf(this.size, endeavour, endeavour % (this.size.users / SEATS));
  }

  anyTask() {
    const n = this.below(this.size.tasks);
    return { id: idOf('tsk', n), user: this.callerIn(endeavourOfTask(this.size, n)) };
  }

  get() {
    return this.many(READS, () => {
      const { id, user } = this.anyTask();
      return this.ask(user, 'GET', `/tasks/${id}`);
    });
  }

  inListed(query) {
    return this.many(LISTED * 8, () => {
      const endeavour = this.below(LISTED);
      return this.ask(this.callerIn(endeavour), 'GET', `/tasks?endeavour_id=${idOf('edv', endeavour)}${query(this)}`);
    });
  }

  list() {
    const statuses = ['planned', 'active', 'done', 'canceled'];
    return this.inListed(() => `&status=${statuses[this.below(4)]}`);
  }

  summary() {
    return this.inListed(() => '&summary=true');
  }

  byWide(query = '') {
    return Array.from({ length: WIDE_USERS }, (_, n) => [this.ask(wideUser(this.size, n), 'GET', `/tasks${query}`)]);
  }

  whoami() {
    return this.byAnybody('/auth/whoami');
  }

  search(more = '') {
    return this.many(SEARCHES, () => {
      const wanted = encodeURIComponent(this.wordsOfATitle(2));
      return this.ask(this.anybody(), 'GET', `/tasks?search=${wanted}${more}`);
    });
  }

  /** Searches for one word, which between one and hundreds of thousands of tasks contain. */
  searchByAdministrator() {
    const user = administrator(this.size);
    return this.many(SEARCHES, () =>
      this.ask(user, 'GET', `/tasks?search=${encodeURIComponent(this.wordsOfATitle(1))}`),
    );
  }

  searchEverything() {
    return this.many(SEARCHES, () => {
      const wanted = encodeURIComponent(this.wordsOfATitle(2));
      return this.ask(this.anybody(), 'GET', `/search?q=${wanted}`);
    });
  }

  /** Chooses words of a title; can choose the same word twice. */
  wordsOfATitle(count) {
    const { title } = this.texts[this.below(this.texts.length)];
    const words = title.match(/[\p{L}]{4,}/gu) ?? ['task'];
    return Array.from({ length: count }, () => words[this.below(words.length)]).join(' ');
  }

  anybody() {
    return this.callerIn(this.below(this.size.endeavours));
  }

  byAnybody(path) {
    return this.many(SEARCHES, () => this.ask(this.anybody(), 'GET', path));
  }

  progress() {
    return this.many(LISTED * 8, () => {
      const endeavour = this.below(LISTED);
      return this.ask(this.callerIn(endeavour), 'GET', `/endeavours/${idOf('edv', endeavour)}/progress`);
    });
  }

  createTask() {
    return this.many(WRITES, () => {
      const endeavour = LISTED + this.below(FOCUS - LISTED);
      const { title, description } = this.texts[this.below(this.texts.length)];
      const body = { title, description: description.slice(0, 500), endeavour_id: idOf('edv', endeavour), estimate: 4 };
      return this.ask(this.callerIn(endeavour), 'POST', '/tasks', body);
    });
  }

  createComment() {
    return this.many(WRITES, () => {
      const { id, user } = this.anyTask();
      const content = this.texts[this.below(this.texts.length)].description.slice(0, 300) || 'Done.';
      return this.ask(user, 'POST', '/comments', { entity_type: 'task', entity_id: id, content });
    });
  }

  /** Toggles each task between planned and active, starting from its current status. */
  async patchTask(client) {
    const wanted = new Map(Array.from({ length: CHANGED }, () => this.anyTask()).map(({ id, user }) => [id, user]));
    const { rows } = await client.query(
      `SELECT id, status FROM tasks WHERE id = ANY($1) AND status IN ('planned', 'active') ORDER BY md5(id)`,
      [[...wanted.keys()]],
    );
    return rows.map(({ id, status }) => {
      const to = (next) => this.ask(wanted.get(id), 'PATCH', `/tasks/${id}`, { status: next });
      return status === 'planned' ? [to('active'), to('planned')] : [to('planned'), to('active')];
    });
  }

  /** Follows the cursors of the service to a page far from the first. */
  async deep(port, pages) {
    const walks = Array.from({ length: WALKERS }, (_, n) => this.walk(port, wideUser(this.size, n), pages));
    return (await Promise.all(walks)).map((request) => [request]);
  }

  async walk(port, user, pages) {
    let path = '/tasks?count=false';
    for (let page = 1; page < pages; page += 1) {
      const headers = { authorization: `Bearer ${this.tokenOf(user)}` };
      const response = await fetch(`http://127.0.0.1:${port}${API}${path}`, { headers });
      const { meta, error } = await response.json();
      if (error !== undefined) throw new Error(`page ${page} answered ${JSON.stringify(error)}`);
      if (meta.next_cursor === null) break;
      path = `/tasks?count=false&cursor=${meta.next_cursor}`;
    }
    return this.ask(user, 'GET', path);
  }
}

export const WIDE = `members of ${WIDE_ENDEAVOURS} endeavours`;
