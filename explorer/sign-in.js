const find = (selector) => document.querySelector(selector);
const bearer = (token) => ({ authorization: `Bearer ${token}` });

async function call(path, options) {
  const response = await fetch(`api/v1/auth/${path}`, options);
  const { data, error } = await response.json();
  return response.ok ? data : Promise.reject(Object.assign(new Error(error.message), { status: response.status }));
}

/** The form at the top: signs in, and hands the token to Swagger UI as its Authorize dialog would. */
export function addSignIn(ui) {
  const form = find('#sign-in');
  const tokenOf = () => ui.authSelectors.authorized()?.getIn(['bearer', 'value']);
  const forget = () => ui.authActions.logoutWithPersistOption(['bearer']);
  const say = (problem) => {
    find('#sign-in-problem').textContent = problem;
  };

  let shown = null;
  async function show() {
    const token = tokenOf();
    if (token === shown) return;
    shown = token;
    form.hidden = token !== undefined;
    find('#signed-in').hidden = token === undefined;
    if (token === undefined) return;
    find('#signed-in span').textContent = 'Signed in';
    try {
      const { name, email } = await call('whoami', { headers: bearer(token) });
      if (tokenOf() === token) find('#signed-in span').textContent = `${name} (${email})`;
      say('');
    } catch (error) {
      if (error.status !== 401 || tokenOf() !== token) return;
      forget();
      say('The token is invalid or has expired. Sign in again.');
    }
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    say('');
    try {
      const { token } = await call('login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(Object.fromEntries(new FormData(form))),
      });
      const schema = ui.specSelectors.specJson().getIn(['components', 'securitySchemes', 'bearer']);
      ui.authActions.authorizeWithPersistOption({ bearer: { name: 'bearer', schema, value: token } });
      form.reset();
    } catch (error) {
      say(error.message);
    }
  });
  find('#signed-in button').addEventListener('click', async () => {
    await call('logout', { method: 'POST', headers: bearer(tokenOf()) }).catch(() => undefined);
    forget();
  });
  ui.getStore().subscribe(show);
  void show();
}
