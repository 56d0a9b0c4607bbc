const PENDING = 'worksmith-sign-in-';
/** Where the sign-in was begun. */
const RETURN = 'worksmith-return';

const provider = location.pathname.split('/').at(-1);
const answer = Object.fromEntries(new URLSearchParams(location.search));
// The code stays neither in the history nor in the address bar.
history.replaceState(null, '', location.pathname);

/** Finishes the sign-in that this tab has begun; a sign-in that somebody else has begun has no token here. */
async function finish() {
  const flowToken = sessionStorage.getItem(PENDING + provider);
  sessionStorage.removeItem(PENDING + provider);
  if (flowToken === null) throw new Error('This sign-in was not begun here. Begin again.');
  if (answer.code === undefined) throw new Error('The provider has not signed you in. Try again.');
  const { state, code, iss } = answer;
  const response = await fetch(new URL('../../api/v1/auth/oidc/finish', location.href), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ flow_token: flowToken, state, code, iss }),
  });
  const { data, error } = await response.json();
  if (!response.ok) throw new Error(error.message);
  if (data.token === undefined) sessionStorage.setItem(`${PENDING}code`, data.pending_token);
  else sessionStorage.setItem('worksmith-token', data.token);
  location.replace(new URL(sessionStorage.getItem(RETURN) ?? '../../docs', location.href));
}

finish().catch(({ message }) => {
  document.querySelector('#state').textContent = message;
});
