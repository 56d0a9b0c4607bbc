const TAKEOVERS = 'test/attacks/account-takeover.spec.ts';
const OUTLIVED = 'test/attacks/outlived-accounts.spec.ts';
const SIGN_IN = 'test/platform/browser-sign-in.deep.spec.ts';
const CONSENT = 'test/platform/browser-consent.deep.spec.ts';

export const seeds = [
  {
    name: 'a directory gives a person of its own an address outside of its domains',
    file: 'src/modules/scim/users/scim-users.service.ts',
    find: 'if (isNewAddress || record.active) await',
    replace: 'if (isNewAddress && !record.active) await',
    caughtBy: TAKEOVERS,
    test: 'is not added by a directory, neither at once nor by changes of a person of its own',
  },
  {
    name: 'an address links an account a second time, after it was given to another person',
    file: 'src/modules/identity-providers/identities/account-linking.ts',
    find: 'if (await this.identities.hasBeenLinked(id, userId)) return false;',
    replace: '',
    caughtBy: TAKEOVERS,
    test: 'does not do so after the identity was removed, or the directory has deleted and added the person',
  },
  {
    name: 'a provider signs out people of every other provider',
    file: 'src/access/authentication/sessions.ts',
    find: 'WHERE provider_id = $1 AND ended_at IS NULL AND expires_at > now()',
    replace: 'WHERE provider_id >= left($1, 4) AND ended_at IS NULL AND expires_at > now()',
    caughtBy: TAKEOVERS,
    test: 'signs out nobody who signed in elsewhere',
  },
  {
    name: 'the last two ways in can be removed at once',
    file: 'src/modules/identity-providers/identities/identities.repository.ts',
    find: 'await this.database.query(LOCK_USER, [userId]);',
    replace: "await this.database.query('SELECT 1 FROM users WHERE id = $1', [userId]);",
    caughtBy: OUTLIVED,
    test: 'stays, although two ways in are removed at once',
  },
  {
    name: 'the page for identity providers finishes what another browser has begun',
    file: 'explorer/callback.js',
    find: "if (flowToken === null) throw new Error('This sign-in was not begun here. Begin again.');",
    replace: '',
    caughtBy: SIGN_IN,
    test: 'finishes only what this tab has begun: a link of a stranger signs nobody in',
  },
  {
    name: 'the page for consent chooses everything beforehand',
    file: 'explorer/consent.js',
    find: "make('input', { type: 'checkbox', name: 'scopes', value: scope })",
    replace: "make('input', { type: 'checkbox', name: 'scopes', value: scope, checked: true })",
    caughtBy: CONSENT,
    test: 'gets what the person ticks, and nothing else',
  },
  {
    name: 'a company enters for people who have left it, by identities that an address has linked',
    file: 'src/modules/identity-providers/identities/account-linking.ts',
    find: 'if (!known.isValid) throw linkRequired();',
    replace: '',
    caughtBy: 'test/attacks/former-companies.spec.ts',
    test: 'does not enter for a person who has left, and whom it links by an address alone',
  },
  {
    name: 'a company keeps the sessions that it has opened of a person who becomes an administrator',
    file: 'src/modules/users/users.service.ts',
    find: 'await this.promotions.secure(actor, row.id);',
    replace: 'await Promise.resolve();',
    caughtBy: 'test/attacks/former-companies.spec.ts',
    test: 'keeps nothing that it opened or made of an account which becomes an administrator',
  },
  {
    name: 'a company enters an account while it becomes an administrator',
    file: 'src/modules/identity-providers/identities/account-linking.ts',
    find: 'await this.identities.lockUser(known.userId);',
    replace: '',
    caughtBy: 'test/attacks/former-companies.spec.ts',
    test: 'gets nothing of an account that becomes an administrator at the same moment',
  },
  {
    name: 'a session that has just been ended makes an access token',
    file: 'src/modules/tokens/tokens.service.ts',
    find: 'if (!(await this.sessions.isOpen(me.sessionId))) throw unauthorized();',
    replace: '',
    caughtBy: 'test/attacks/former-companies.spec.ts',
    test: 'gets nothing of an account that becomes an administrator at the same moment',
  },
];
