import { groupsOf, matches, operationsOf, textOf } from './document.js';
import { folded, make, paragraphs } from './elements.js';
import { operationView } from './operation-view.js';
import { OwnThings } from './own-things.js';
import { addSignIn, Session } from './session.js';

/** Where to begin after signing in. */
const FIRST_STEPS = [
  'auth_whoami_get',
  'work_list',
  'organizations_create',
  'endeavours_create',
  'tasks_create',
  'tasks_list',
];

const MAX_FOUND = 60;
const main = document.querySelector('#explorer');
const session = new Session();
addSignIn(session);

try {
  const response = await fetch(new URL('openapi.json', document.baseURI));
  show(await response.json());
} catch (error) {
  main.replaceChildren(make('p', { class: 'notice' }, `The OpenAPI document could not be loaded: ${error.message}`));
}

function show(api) {
  const things = new OwnThings(api, (url) => session.data({ url }));
  const page = { document: api, session, things };
  const groups = groupsOf(api);
  const entries = operationsOf(api);

  const linkOf = ({ tag, operation }) => `#/${encodeURIComponent(tag)}/${operation.operationId}`;
  const lineOf = ({ method, path, operation }) => [
    make('span', { class: `method ${method}` }, method.toUpperCase()),
    make('code', {}, path.replace('/api/v1', '')),
    make('span', { class: 'summary' }, operation.summary),
  ];
  const rowOf = (entry) => {
    const row = folded(make('span', { class: 'line' }, lineOf(entry)), () => operationView(page, entry), {
      class: 'row',
      'data-id': entry.operation.operationId,
    });
    row.addEventListener('toggle', () => {
      if (row.open) history.replaceState(null, '', linkOf(entry));
    });
    return row;
  };
  const sectionOf = (group) =>
    folded(
      make('span', {}, make('strong', {}, group['x-displayName'] ?? group.name), ` ${group.description}`),
      () => group.operations.map(rowOf),
      { class: 'group', 'data-tag': group.name },
    );

  const listed = make('div', {}, groups.map(sectionOf));
  const found = make('div', { hidden: true });
  const count = make('output', {}, `${entries.length} operations`);
  const filter = make('input', {
    type: 'search',
    placeholder: 'Filter by path or words',
    'aria-label': 'Filter operations',
  });
  filter.addEventListener('input', () => {
    const phrase = filter.value.trim();
    const hits = phrase === '' ? entries : entries.filter((entry) => matches(textOf(entry), phrase));
    count.textContent = hits.length === 1 ? '1 operation' : `${hits.length} operations`;
    listed.hidden = phrase !== '';
    found.hidden = phrase === '';
    if (phrase === '') return;
    const rest = hits.length - MAX_FOUND;
    found.replaceChildren(...hits.slice(0, MAX_FOUND).map(rowOf));
    if (hits.length === 0) found.append(make('p', { class: 'notice' }, 'No operation contains all these words.'));
    if (rest > 0) found.append(make('p', { class: 'notice' }, `${rest} more; add another word.`));
  });

  const steps = make('nav', { class: 'steps', 'aria-label': 'First steps' });
  const showSteps = () => {
    const first = FIRST_STEPS.map((id) => entries.find(({ operation }) => operation.operationId === id)).filter(
      Boolean,
    );
    steps.hidden = session.token === undefined;
    steps.replaceChildren(
      make('strong', {}, 'To begin with: '),
      ...first.map((entry) => make('a', { href: linkOf(entry) }, entry.operation.summary)),
    );
  };

  /** Opens the operation that the address names, also if the address changes later. */
  const follow = () => {
    const [, tag, id] = /^#\/([^/]+)(?:\/([^/]+))?$/.exec(location.hash) ?? [];
    const section = [...listed.children].find(({ dataset }) => encodeURIComponent(dataset.tag) === tag);
    if (section === undefined) return;
    if (filter.value !== '') {
      filter.value = '';
      filter.dispatchEvent(new Event('input'));
    }
    open(section);
    const row = [...section.querySelectorAll('.row')].find(({ dataset }) => dataset.id === id);
    if (row !== undefined) open(row);
    (row ?? section).scrollIntoView();
  };

  session.addEventListener('change', () => {
    things.forget();
    showSteps();
    // Opened forms get the ids of the person who has signed in.
    for (const row of main.querySelectorAll('.row[open]')) refill(row);
  });
  const refill = (row) => {
    const entry = entries.find(({ operation }) => operation.operationId === row.dataset.id);
    if (row.querySelector('.response') === null) row.replaceChildren(row.firstChild, operationView(page, entry));
  };
  addEventListener('hashchange', follow);
  const about = folded('About this interface', () => paragraphs(api.info.description));
  main.replaceChildren(steps, about, make('div', { class: 'filter' }, filter, count), listed, found);
  showSteps();
  follow();
}

/** Opens the line and fills it at once, because the browser reports the change only later. */
function open(details) {
  details.open = true;
  details.dispatchEvent(new Event('toggle'));
}
