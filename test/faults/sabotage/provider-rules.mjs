const GROUPS = 'test/areas/group-roles.spec.ts';
const REQUIRED = 'test/areas/required-sign-in.spec.ts';
const LOGOUTS = 'test/areas/provider-logouts.spec.ts';

export const seeds = [
  {
    name: 'a claim that is cut short takes roles away',
    file: 'src/modules/identity-providers/provider.rules.ts',
    find: 'if (isRecord(elsewhere) && name in elsewhere) return undefined;',
    replace: '',
    caughtBy: GROUPS,
    test: 'change nothing if the claim is cut short, and says where the groups are',
  },
  {
    name: 'groups change roles that were given by hand',
    file: 'src/modules/identity-providers/group-roles.service.ts',
    find: 'if (isByHand || role',
    replace: 'if (role',
    caughtBy: GROUPS,
    test: 'leave roles that were given by hand, also that of an owner, as they are',
  },
  {
    name: 'people sign in as they like although a provider is required',
    file: 'src/modules/identity-providers/sign-in/sign-in-rules.service.ts',
    find: 'this.sessions.require((userId, method, facts) => this.assertMaySignIn(userId, method, facts));',
    replace: '',
    caughtBy: REQUIRED,
    test: 'is the only way in for its members, after the right proof',
  },
  {
    name: 'the last owner with a way in can drop it',
    file: 'src/modules/totp/totp.service.ts',
    find: 'await this.waysIn.assertMayLose(me.userId);',
    replace: '',
    caughtBy: REQUIRED,
    test: 'cannot be required while no owner has such a way in, nor can the last owner drop it',
  },
  {
    name: 'a logout token is good any number of times',
    file: 'src/modules/identity-providers/protocol/provider-logouts.service.ts',
    find: 'if (!(await this.used.use(provider.id, request.jti))) throw refused();',
    replace: '',
    caughtBy: LOGOUTS,
    test: 'ends the sessions that began in that session there, once',
  },
  {
    name: 'logout tokens are not checked against the keys of the provider',
    file: 'src/modules/identity-providers/protocol/logout-tokens.ts',
    find: "if (!isSignedBy(await this.connections.keysOf(provider, kid), token)) throw new Error('the signature is wrong');",
    replace: '',
    caughtBy: LOGOUTS,
    test: 'with a token that another key signed ends nothing',
  },
];
