const PENDING = 'worksmith-sign-in-';
/** Where the sign-in was begun. */
const RETURN = 'worksmith-return';
const PAUSE_MS = 300;

const place = () => document.querySelector('#providers');
const json = (body) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

/**
 * Offers the identity providers for the address in the field. The provider sends the person back to a page of the service,
 * which leaves the result of the sign-in in the storage of this tab.
 */
export function addProviders({ session, root, emailField, askForCode, say }) {
  let turn = 0;

  async function offer() {
    turn += 1;
    const mine = turn;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const email = emailField.value.trim();
    if (mine !== turn) return;
    if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) return place().replaceChildren();
    const url = `/api/v1/auth/methods?email=${encodeURIComponent(email)}`;
    const { providers } = await session.data({ url }).catch(() => ({ providers: [] }));
    if (mine === turn) place().replaceChildren(...providers.map(buttonFor));
  }

  function buttonFor({ id, name }) {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: name });
    button.addEventListener('click', () => void leaveFor(id).catch((error) => say(error.message)));
    return button;
  }

  async function leaveFor(id) {
    const redirectUri = new URL(`auth/callback/${id}`, root).href;
    const url = `/api/v1/auth/oidc/${id}/start`;
    const started = await session.data({ url, ...json({ redirect_uri: redirectUri }) });
    sessionStorage.setItem(PENDING + id, started.flow_token);
    sessionStorage.setItem(RETURN, location.href);
    location.assign(started.authorization_url);
  }

  emailField.addEventListener('input', () => void offer());
  emailField.form.addEventListener('reset', () => {
    turn += 1;
    place().replaceChildren();
  });
  const pendingToken = sessionStorage.getItem(`${PENDING}code`);
  sessionStorage.removeItem(`${PENDING}code`);
  if (pendingToken !== null && session.token === undefined) askForCode(pendingToken);
}
