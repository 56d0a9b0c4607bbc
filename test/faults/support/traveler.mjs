import { parse } from 'csv-parse/sync';
import { contentOf, differencesOf } from './content.mjs';
import { call } from './http.mjs';

const PATIENCE_MS = 600_000;

/** Runs the steps of a journey as the owner of its endeavour, and records what the service reports. */
export class Journey {
  /** The results of the steps, by name. */
  reported = {};

  constructor(base, token) {
    Object.assign(this, { base, token });
  }

  /** Creates an organization with an endeavour, and agents that work there. */
  async begin(agents) {
    this.organization = (await this.#post('/organizations', { name: 'Tracker' })).id;
    this.endeavour = await this.#endeavour('Backlog');
    this.resource = (await this.#get('/auth/whoami')).data.resource_id;
    const scopes = ['*:read', 'tasks:write'];
    this.agents = [];
    for (let n = 1; n <= agents; n += 1) {
      const { id } = await this.#post('/agents', { name: `Agent ${n}`, organization_id: this.organization });
      this.agents.push((await this.#post(`/agents/${id}/tokens`, { name: 'Main', scopes })).token);
    }
  }

  /** Imports the file, and records the report under `name`. */
  async importFile(name, file, query = '') {
    const report = await this.#import('jira', this.endeavour, file, query);
    const { total } = (await this.#get(`/tasks?endeavour_id=${this.endeavour}&limit=1`)).meta;
    this.reported[name] = { counts: report.counts, refused: report.refused, tasks: total };
  }

  /** Assigns a built-in policy to the endeavour. */
  async assignPolicy() {
    const policies = (await this.#get('/dod-policies?search=Peer')).data;
    const { id } = policies.find(({ name }) => name === 'Peer Reviewed');
    await this.#post(`/endeavours/${this.endeavour}/dod-policy`, { policy_id: id });
    const status = (await this.#get(`/endeavours/${this.endeavour}/dod-status`)).data;
    this.reported.policy = status.policy.name;
  }

  /** Assigns all planned tasks that were created before that time to the owner. */
  async assignOldTasks(since) {
    const filter = { endeavour_id: this.endeavour, status: 'planned', created_before: since };
    const changes = { assignee_id: this.resource };
    const { id } = await this.#post('/tasks/bulk', { filter, changes });
    const { result } = await this.#ended(id);
    this.reported.assigned = result.changed;
  }

  /** Counts the ready tasks, and lets all agents claim tasks concurrently until none is left. */
  async claim() {
    this.reported.ready = await this.#count('&ready=true&unassigned=true');
    const claimed = await Promise.all(this.agents.map((token) => this.#claimAll(token)));
    this.reported.claims = claimed.flat().length;
    this.reported.claimed = new Set(claimed.flat()).size;
    this.reported.idleAgents = claimed.filter(({ length }) => length === 0).length;
    this.reported.readyAfter = await this.#count('&ready=true&unassigned=true');
    this.reported.blocked = await this.#count('&blocked=true&status=planned');
    this.reported.mine = await this.#count('&assignee_id=me');
  }

  /** Records the progress in each of these years. */
  async progress(years) {
    this.reported.years = [];
    for (const year of years) {
      const period = `interval=day&from=${year}-01-01&to=${year}-12-31`;
      const { intervals } = (await this.#get(`/endeavours/${this.endeavour}/progress?${period}`)).data;
      const sum = (name) => intervals.reduce((total, day) => total + day[name], 0);
      const { planned, done, canceled } = intervals.at(-1);
      const flow = { created: sum('created'), completed: sum('completed'), closed: sum('closed') };
      this.reported.years.push({ year, ...flow, planned, done, canceled });
    }
  }

  /** Records the exports, the summary, the report and the pictures of the endeavour. */
  async recordExports() {
    const list = `/tasks?endeavour_id=${this.endeavour}`;
    const csv = parse(await this.#text(list, 'text/csv'), { columns: true });
    const lines = (await this.#text(list, 'application/x-ndjson')).split('\n').filter(Boolean);
    const tasks = lines.map((line) => JSON.parse(line));
    const titles = new Map(csv.map(({ id, title }) => [id, title]));
    // In CSV, a title that a spreadsheet would evaluate begins with an apostrophe.
    const isSame = ({ id, title }) => [title, `'${title}`].includes(titles.get(id));
    this.reported.exports = { csv: csv.length, ndjson: tasks.length, same: tasks.filter(isSame).length };
    this.reported.titles = tasks.map(({ title }) => title).sort();
    this.reported.summary = (await this.#get(`/tasks/summary?endeavour_id=${this.endeavour}`)).data;
    const page = await this.#text(`/reports/endeavour/${this.endeavour}`, 'text/html');
    const svg = 'image/svg+xml';
    const flow = await this.#text(`/endeavours/${this.endeavour}/progress?interval=week`, svg);
    const graph = await this.#text(`/endeavours/${this.endeavour}/dependencies?format=svg`, svg);
    this.reported.pages = [page.includes('Backlog'), isPicture(flow), isPicture(graph)];
    this.reported.scripts = [page, flow, graph].filter((text) => /<script/i.test(text)).length;
  }

  /** Imports an export into another endeavour, exports that, and records the differences. */
  async copyByExport() {
    const before = await this.#export(this.endeavour);
    const copy = await this.#endeavour('Copy');
    const { refused, refusals } = await this.#import('worksmith', copy, before);
    const differences = differencesOf(contentOf(before), contentOf(await this.#export(copy)));
    this.reported.comments = before.comments.length;
    this.reported.copy = { refused, different: differences.length };
    this.reported.differences = [...refusals.map((each) => JSON.stringify(each)), ...differences].slice(0, 5);
  }

  async #endeavour(name) {
    return (await this.#post('/endeavours', { name, organization_id: this.organization })).id;
  }

  #export(endeavour) {
    return this.#ask('GET', `/endeavours/${endeavour}/export`);
  }

  async #import(format, endeavour, body, query = '') {
    const headers = { 'content-type': 'application/octet-stream' };
    const path = `/imports?format=${format}&endeavour_id=${endeavour}${query}`;
    const { id } = (await this.#ask('POST', path, { body, headers })).data;
    const { status, error } = await this.#ended(id);
    if (status !== 'succeeded') throw new Error(`the import ended as ${status}: ${JSON.stringify(error)}`);
    return (await this.#get(`/imports/${id.replace('opr_', 'imp_')}`)).data;
  }

  async #claimAll(token) {
    const claimed = [];
    for (;;) {
      const body = { endeavour_id: this.endeavour };
      const { data } = await this.#ask('POST', '/tasks/claim', { body, token });
      if (data === null) return claimed;
      claimed.push(data.id);
    }
  }

  async #ended(id) {
    for (;;) {
      const { data } = await this.#ask('GET', `/operations/${id}`, { headers: { prefer: 'wait=20' } });
      if (data.finished_at !== null) return data;
    }
  }

  async #count(filters) {
    return (await this.#get(`/tasks?endeavour_id=${this.endeavour}&limit=1${filters}`)).meta.total;
  }

  #get(path) {
    return this.#ask('GET', path);
  }

  async #post(path, body) {
    return (await this.#ask('POST', path, { body })).data;
  }

  #text(path, accept) {
    return this.#ask('GET', path, { headers: { accept } });
  }

  async #ask(method, path, { token = this.token, ...more } = {}) {
    const answer = await call(this.base, method, `/api/v1${path}`, { token, patience: PATIENCE_MS, ...more });
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
}

const isPicture = (text) => text.startsWith('<svg') && text.trimEnd().endsWith('</svg>');
