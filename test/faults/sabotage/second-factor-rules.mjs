const SPEC = 'test/areas/second-factor-rules.spec.ts';

export const seeds = [
  {
    name: 'a session with a password alone fulfils the rule of an organization',
    file: 'src/access/second-factor/second-factor.ts',
    find: "s.method IN ('passkey', 'password+totp')",
    replace: "s.method IN ('passkey', 'password+totp', 'password')",
    caughtBy: SPEC,
    test: 'withholds what it is the home of from a session with a password alone, and nothing else',
  },
  {
    name: 'the provider of any organization fulfils the rule of every other',
    file: 'src/migrations/1763700004011-sign-ins-that-organizations-require.ts',
    find: `AND o.id <> current_setting('worksmith.withheld', true)
              AND current_setting('worksmith.withheld', true) <> 'none')));`,
    replace: "AND current_setting('worksmith.withheld', true) = 'all')));",
    caughtBy: SPEC,
    test: 'is open to the provider of that organization, not to that of another one',
  },
  {
    name: 'a token keeps what an earlier session had proved',
    file: 'src/modules/tokens/tokens.repository.ts',
    find: 'has_second_factor = $3 AND (has_second_factor OR NOT $5)',
    replace: 'has_second_factor = $3 OR has_second_factor',
    caughtBy: SPEC,
    test: 'counts as the session that gave it its secret, but an old secret gains nothing',
  },
  {
    name: 'admins can lift the rule on second factors',
    file: 'src/modules/organizations/members/second-factor-rules.service.ts',
    find: "rankOf('owner')",
    replace: "rankOf('admin')",
    caughtBy: SPEC,
    test: 'is set by owners in a session with a recent proof, and is in the audit',
  },
];
