const SPEC = 'test/areas/single-sign-on.spec.ts';

export const seeds = [
  {
    name: 'ID tokens are not checked against the keys of the provider',
    file: 'src/modules/identity-providers/protocol/provider-connections.ts',
    find: 'oidc.enableNonRepudiationChecks(config);',
    replace: '',
    caughtBy: SPEC,
    test: 'with a token signed with an unpublished key is refused with one text',
  },
  {
    name: 'a sign-in by a provider is finished with any state',
    file: 'src/modules/identity-providers/sign-in/provider-sign-ins.ts',
    find: ' || !isSame(state, secrets.state)',
    replace: '',
    caughtBy: SPEC,
    test: 'with another state is refused',
  },
  {
    name: 'a sign-in by a provider can be finished for ever',
    file: 'src/modules/identity-providers/sign-in/oidc-flows.repository.ts',
    find: 'WHERE hash = $1 AND expires_at > clock_timestamp() AND',
    replace: 'WHERE hash = $1 AND',
    caughtBy: SPEC,
    test: 'is accepted once, for ten minutes, in the client that began, and from that provider',
  },
  {
    name: 'an address links an account with any number of people at a provider',
    file: 'src/modules/identity-providers/identities/account-linking.ts',
    find: 'if (await this.identities.hasBeenLinked(id, userId)) return false;',
    replace: '',
    caughtBy: SPEC,
    test: 'is not decided by an address that the provider gave to another person',
  },
  {
    name: 'an address that the provider has not verified links an account',
    file: 'src/modules/identity-providers/identities/account-linking.ts',
    find: '!claims.isVerified || ',
    replace: '',
    caughtBy: SPEC,
    test: 'is refused with an address that the provider has not verified, whether or not there is an account',
  },
  {
    name: 'a provider can take over the account of an administrator',
    file: 'src/modules/users/accounts.repository.ts',
    find: " AND user_type = 'human' AND NOT is_admin",
    replace: " AND user_type = 'human'",
    caughtBy: SPEC,
    test: 'is not taken from an address for an administrator, an agent, and a suspended or closed account',
  },
];
