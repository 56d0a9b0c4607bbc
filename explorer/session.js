import { hasPasskeys, isDismissed, signWithPasskey } from './passkeys.js';
import { addProviders } from './providers.js';

const STORED = 'worksmith-token';
/** The address of the service, which pages further below say relative to theirs. */
export const ROOT = new URL(document.documentElement.dataset.root ?? '.', document.baseURI);
const find = (selector) => document.querySelector(selector);

/** The token of the signed-in person, kept until the tab is closed. */
export class Session extends EventTarget {
  token = sessionStorage.getItem(STORED) ?? undefined;

  set(token) {
    this.token = token;
    if (token === undefined) sessionStorage.removeItem(STORED);
    else sessionStorage.setItem(STORED, token);
    this.dispatchEvent(new Event('change'));
  }

  /** Sends a request with the token, relative to the service. */
  send({ url, headers, ...options }) {
    const authorization = this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` };
    return fetch(new URL(url.slice(1), ROOT), { ...options, headers: { ...authorization, ...headers } });
  }

  /** The `data` of a response; an error has its status, and its reason if there is one. */
  async data(request) {
    const response = await this.send(request);
    const { data, error } = await response.json();
    return response.ok
      ? data
      : Promise.reject(
          Object.assign(new Error(error.message), { status: response.status, reason: error.details?.reason }),
        );
  }
}

/** The form at the top: signs in with a password and the code of a second factor, with a passkey or a pasted token, and out. */
export function addSignIn(session) {
  const form = find('#sign-in');
  const codeForm = find('#second-factor');
  let pending;
  const say = (problem) => {
    find('#sign-in-problem').textContent = problem;
  };

  const post = (path, body) =>
    session.data({
      url: `/api/v1/auth/${path}`,
      method: 'POST',
      ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });

  async function show() {
    const { token } = session;
    form.hidden = token !== undefined || pending !== undefined;
    find('#signed-in').hidden = token === undefined;
    if (token === undefined) return;
    find('#signed-in span').textContent = 'Signed in';
    try {
      const { name, email } = await session.data({ url: '/api/v1/auth/whoami' });
      if (session.token === token) find('#signed-in span').textContent = `${name} (${email})`;
    } catch (error) {
      if (error.status !== 401 || session.token !== token) return;
      session.set(undefined);
      say('The token is invalid or has expired. Sign in again.');
    }
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    say('');
    const { email, password } = Object.fromEntries(new FormData(form));
    // An access token has no password, and no @.
    if (password === '' && !email.includes('@')) {
      form.reset();
      return session.set(email.trim());
    }
    try {
      const { token, pending_token } = await post('login', { email, password });
      form.reset();
      if (token === undefined) askForCode(pending_token);
      else session.set(token);
    } catch (error) {
      say(error.message);
    }
  });

  const passkeyButton = find('#sign-in button[type=button]');
  passkeyButton.hidden = !hasPasskeys();
  passkeyButton.addEventListener('click', async () => {
    say('');
    try {
      session.set(await tokenByPasskey());
      form.reset();
    } catch (error) {
      if (!isDismissed(error)) say(error.message);
    }
  });

  async function tokenByPasskey() {
    const credential = await signWithPasskey(await post('passkeys/login/options'));
    return (await post('passkeys/login', { credential })).token;
  }

  /** Shows the field for the code of the second factor; the token is of no other use. */
  function askForCode(pendingToken) {
    pending = pendingToken;
    form.hidden = true;
    codeForm.hidden = false;
    codeForm.elements.code.focus();
  }

  function stopAsking() {
    pending = undefined;
    codeForm.reset();
    codeForm.hidden = true;
    form.hidden = session.token !== undefined;
  }

  codeForm.addEventListener('submit', async (event) => {
    event.preventDefault();
    say('');
    try {
      const { token } = await post('totp/verify', { pending_token: pending, code: codeForm.elements.code.value });
      stopAsking();
      session.set(token);
    } catch (error) {
      codeForm.reset();
      say(error.message);
    }
  });
  find('#second-factor button[type=button]').addEventListener('click', () => {
    say('');
    stopAsking();
  });
  find('#signed-in button').addEventListener('click', async () => {
    await session.send({ url: '/api/v1/auth/logout', method: 'POST', headers: {} }).catch(() => undefined);
    session.set(undefined);
  });
  addProviders({ session, root: ROOT, emailField: form.elements.email, askForCode, say });
  session.addEventListener('change', show);
  void show();
}
