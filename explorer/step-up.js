import { make } from './elements.js';
import { hasPasskeys, isDismissed, signWithPasskey } from './passkeys.js';

const PATH = '/api/v1/auth/step-up';
const CODES = ['totp', 'recovery_code', 'mailed_code'];

/** How the person can prove to be there, if the response asks for it; undefined for every other response. */
export function proofMethodsIn(status, text) {
  if (status !== 403) return undefined;
  const { reason, methods } = JSON.parse(text).error.details ?? {};
  return reason === 'proof_required' ? methods : undefined;
}

/** A form with which the person proves to be there; `proved` is called afterwards. */
export function proofForm(session, methods, proved) {
  const problem = make('p', { class: 'bad', role: 'alert' });
  const say = (text) => {
    problem.textContent = text;
  };
  const post = (path, body) =>
    session.data({
      url: PATH + path,
      method: 'POST',
      ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
  const attempt = async (work) => {
    say('');
    try {
      await work();
    } catch (error) {
      if (!isDismissed(error)) say(error.message);
    }
  };
  const prove = (proof) =>
    attempt(async () => {
      await post('', await proof());
      await proved();
    });

  const isPassword = methods.includes('password');
  const isCode = methods.some((method) => CODES.includes(method));
  const label = isPassword ? 'Password' : 'Code';
  const field = make('input', {
    name: 'proof',
    type: isPassword ? 'password' : 'text',
    autocomplete: isPassword ? 'current-password' : 'one-time-code',
    placeholder: label,
    'aria-label': label,
    required: true,
  });
  const submit = (event) => {
    event.preventDefault();
    void prove(() => (isPassword ? { password: field.value } : { code: field.value }));
  };
  const button = (text, act) => make('button', { type: 'button', onclick: () => void act() }, text);
  return make(
    'form',
    { class: 'proof', onsubmit: submit },
    make('p', {}, make('strong', {}, 'Confirm that it is you, and the request is sent again.')),
    (isPassword || isCode) && [field, ' ', make('button', {}, 'Confirm'), ' '],
    methods.includes('passkey') &&
      hasPasskeys() &&
      button('Passkey', () => prove(async () => ({ credential: await signWithPasskey(await post('/options')) }))),
    methods.includes('mailed_code') && button('Mail a code', () => attempt(() => post('/code'))),
    methods.includes('oidc') && make('small', {}, ' Or sign out, and sign in again with your provider.'),
    problem,
  );
}
