import { exampleOf, resolve } from './document.js';
import { folded, make, paragraphs, words } from './elements.js';
import { hasPasskeys, isDismissed, makePasskey } from './passkeys.js';
import { RequestForm } from './request-form.js';
import { curlOf, responseView } from './response-view.js';
import { propertiesOf } from './schema-view.js';
import { proofForm, proofMethodsIn } from './step-up.js';

/** The operation for which the browser makes a part of the body. */
const ADDS_PASSKEY = 'auth_passkeys_create';

/** The opened operation: its description, a form to send it, and its documented responses. */
export function operationView(page, entry) {
  const { document, session, things } = page;
  const { operation, method } = entry;
  const form = new RequestForm(document, entry);
  const missing = make('p', { class: 'missing', hidden: true });
  const answer = make('div', { 'aria-live': 'polite' });
  const isPublic = operation.security?.length === 0;

  const fillIn = async () => {
    if (session.token === undefined) return;
    const prefixes = await form.fillIn(things);
    const lists = prefixes.map((prefix) => things.lists.get(prefix)).filter((list) => list !== undefined);
    missing.hidden = lists.length === 0;
    missing.textContent = `You have none of these yet, so the example ids stay: ${lists.map(({ tag }) => tag).join(', ')}.`;
  };

  const send = async () => {
    const request = form.request();
    const began = performance.now();
    answer.replaceChildren(make('p', {}, 'Sending...'));
    try {
      const response = await session.send({ ...request, method: method.toUpperCase() });
      const { view, text } = await responseView(response, performance.now() - began);
      const command = make('details', {}, make('summary', {}, 'curl'), make('pre', {}, curlOf(request, !isPublic)));
      answer.replaceChildren(view, command);
      askForProof(response.status, text, send);
      if (response.ok && method !== 'get') things.forget();
      takeToken(page, operation, response.ok ? view : undefined);
    } catch (error) {
      answer.replaceChildren(make('p', { class: 'bad' }, `There was no response: ${error.message}`));
    }
  };

  /** Offers to prove that it is the person, and to do it again, if the response asks for that. */
  function askForProof(status, text, again) {
    const methods = proofMethodsIn(status, text);
    if (methods !== undefined) answer.prepend(proofForm(session, methods, again));
  }

  const addPasskey = async () => {
    answer.replaceChildren();
    const response = await session.send({ url: '/api/v1/auth/passkeys/options', method: 'POST' });
    const text = await response.text();
    try {
      const { data, error } = JSON.parse(text);
      if (!response.ok) throw new Error(error.message);
      form.setProperty('credential', await makePasskey(data));
    } catch (error) {
      if (!isDismissed(error)) answer.replaceChildren(make('p', { class: 'bad' }, error.message));
    }
    askForProof(response.status, text, addPasskey);
  };

  const submit = (event) => {
    event.preventDefault();
    void send();
  };

  void fillIn();
  return make(
    'div',
    { class: 'operation' },
    paragraphs(operation.description ?? ''),
    make(
      'form',
      { onsubmit: submit, novalidate: true },
      form.element,
      missing,
      operation.operationId === ADDS_PASSKEY &&
        hasPasskeys() && [make('button', { type: 'button', onclick: () => void addPasskey() }, 'Make a passkey'), ' '],
      make('button', {}, 'Send'),
      !isPublic && session.token === undefined && make('small', { class: 'hint' }, ' Sign in at the top first.'),
    ),
    answer,
    operation.requestBody !== undefined && bodyProperties(document, operation),
    Object.entries(operation.responses).map(([status, response]) => documentedResponse(document, status, response)),
  );
}

/** After signing in by the operation itself, the page uses that token. */
function takeToken({ session }, { operationId }, view) {
  if (view === undefined || !['auth_login', 'auth_verify'].includes(operationId)) return;
  const [, token] = /"token": "([^"]+)"/.exec(view.textContent) ?? [];
  if (token !== undefined) session.set(token);
}

function bodyProperties(document, operation) {
  const [media] = Object.values(resolve(document, operation.requestBody).content).slice(-1);
  return folded('Properties of the body', () => propertiesOf(document, media.schema));
}

function documentedResponse(document, status, reference) {
  const { description = '', content = {} } = resolve(document, reference);
  const [media] = Object.values(content);
  const line = [make('strong', {}, `${status} `), ...words(description)];
  if (media === undefined) return make('p', { class: 'documented' }, line);
  return folded(
    make('span', {}, line),
    () => {
      const named = Object.values(media.examples ?? {}).map((one) => resolve(document, one).value);
      const examples = named.length > 0 ? named : [exampleOf(document, media.schema)];
      const shown = examples.map((one) => make('pre', {}, JSON.stringify(one, null, 2)));
      return [...shown, folded('Properties', () => propertiesOf(document, media.schema))];
    },
    { class: 'documented' },
  );
}
