import { languageOf, programName, programText, scopeText, TEXTS } from './consent-texts.js';
import { make } from './elements.js';
import { addSignIn, Session } from './session.js';

const ALL = 'all';
const PAGE = 200;
const MOST = 1_000;
const find = (selector) => document.querySelector(selector);

const language = languageOf(navigator.languages);
const texts = TEXTS[language];
document.documentElement.lang = language;
for (const element of document.querySelectorAll('[data-text]')) {
  const text = texts[element.dataset.text];
  if (element.tagName === 'INPUT') Object.assign(element, { placeholder: text, ariaLabel: text });
  else element.textContent = text;
}

const page = location.pathname.split('/').at(-1);
const isDevice = page === 'device';
const session = new Session();
const consent = find('#consent');
const device = find('#device');
/** The request that is shown; undefined before it is. */
let shown;
/** Whether the person has confirmed the code of the device; a link of another person can contain one. */
let isConfirmed = false;

const say = (text) => {
  find('#state').textContent = text;
};
const named = () => (isDevice ? { user_code: device.elements.user_code.value.trim() } : { authorization: page });

const post = (path, body) =>
  session.data({
    url: `/api/v1/auth/consents${path}`,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...named(), ...body }),
  });

/** Shows what the program asks for; nothing is chosen beforehand. */
async function show() {
  consent.hidden = true;
  shown = undefined;
  device.hidden = !isDevice || session.token === undefined;
  if (session.token === undefined) return say(texts.signInFirst);
  if (isDevice && !isConfirmed) return say('');
  say('');
  try {
    const request = await post('/preview', {});
    fill(request, await namesOf('organizations'), await namesOf('endeavours'));
  } catch (error) {
    complain(error);
  }
}

/** The names of the containers that the person can choose, at most a thousand. */
async function namesOf(kind) {
  const found = [];
  let some;
  do {
    some = await session.data({ url: `/api/v1/${kind}?limit=${PAGE}&offset=${found.length}&sort=name&fields=id,name` });
    found.push(...some);
  } while (some.length === PAGE && found.length < MOST);
  return found;
}

function fill(request, organizations, endeavours) {
  shown = request;
  find('#consent h1').textContent = texts.title(programName(request));
  find('#program').textContent = programText(request, texts);
  const choices = request.scopes.map((scope) =>
    make('label', {}, make('input', { type: 'checkbox', name: 'scopes', value: scope }), ` ${scopeText(scope, texts)}`),
  );
  find('#scopes').replaceChildren(find('#scopes legend'), ...choices);
  const option = (value, text) => make('option', { value }, text);
  const group = (label, containers) =>
    containers.length === 0 ? [] : [make('optgroup', { label }, ...containers.map(({ id, name }) => option(id, name)))];
  consent.elements.container.replaceChildren(
    option('', texts.choose),
    option(ALL, texts.everywhere),
    ...group(texts.organizations, organizations),
    ...group(texts.endeavours, endeavours),
  );
  device.hidden = true;
  consent.hidden = false;
}

function complain(error) {
  if (error.status === 401) return session.set(undefined);
  if (error.reason !== 'proof_required') return say(error.message);
  session.set(undefined);
  say(texts.signInAgain);
}

function leave({ status, redirect_to: address }) {
  consent.hidden = true;
  say(address === null ? texts[status] : texts.leaving);
  if (address !== null) location.assign(address);
}

function restrictionTo(container) {
  if (container === ALL) return {};
  return container.startsWith('org_') ? { organization_id: container } : { endeavour_id: container };
}

consent.addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = new FormData(consent);
  const scopes = form.getAll('scopes');
  const container = form.get('container');
  if (scopes.length === 0) return say(texts.tickOne);
  const { consent_token } = shown;
  try {
    leave(await post('', { consent_token, scopes, ...restrictionTo(container) }));
  } catch (error) {
    complain(error);
  }
});

find('#consent button[type=button]').addEventListener('click', () => void post('/refuse', {}).then(leave, complain));

device.addEventListener('submit', (event) => {
  event.preventDefault();
  isConfirmed = true;
  void show();
});

if (isDevice) {
  device.elements.user_code.value = new URLSearchParams(location.search).get('user_code') ?? '';
}
session.addEventListener('change', () => void show());
addSignIn(session);
void show();
