const ATTACKS = 'test/areas/scim-attacks.spec.ts';
const LEAVING = 'test/areas/scim-leaving.spec.ts';
const USERS = 'test/areas/scim-users.spec.ts';

export const seeds = [
  {
    name: 'a provisioning token opens the path of every organization',
    file: 'src/modules/scim/directory-sign-in.ts',
    find: 'if (organizationId !== found.organizationId) throw notFound();',
    replace: 'void organizationId;',
    caughtBy: 'test/areas/scim-tokens.spec.ts',
    test: 'opens only the path of its organization, and nothing else',
  },
  {
    name: 'a directory speaks for people outside of the domains of its organization',
    file: 'src/modules/scim/users/scim-users.service.ts',
    find: 'return (await this.domains.proverOf(domainOf(address))) === organizationId;',
    replace: 'return organizationId !== undefined && address !== undefined;',
    caughtBy: USERS,
    test: 'is refused outside of the proved domains of the organization',
  },
  {
    name: 'the account of an administrator is suspended by a directory',
    file: 'src/modules/scim/provisioning.service.ts',
    find: "if (isAdmin || status !== 'active') return false;",
    replace: "if (status !== 'active') return false;",
    caughtBy: LEAVING,
    test: 'is not suspended with an account of their own, or as an administrator',
  },
  {
    name: 'a directory that takes in a person counts as the consent of that person',
    file: 'src/access/memberships/memberships.ts',
    find: 'await this.membershipRows.upsert(container, containerId, next, me.userId || null);',
    replace: 'await this.membershipRows.upsert(container, containerId, next, me.userId || next.userId);',
    caughtBy: USERS,
    test: 'joins a known account without doubling it, and tells the person',
  },
  {
    name: 'somebody whom the directory has dismissed signs in with the provider of the organization',
    file: 'src/modules/identity-providers/identities/account-linking.ts',
    find: 'if (organizationId !== null && (await this.vetoes.isVetoed(userId, organizationId))) throw unknown();',
    replace: 'void [organizationId, userId];',
    caughtBy: LEAVING,
    test: 'does not sign in with the provider of the organization any more',
  },
  {
    name: 'access tokens that reach into the organization survive the dismissal',
    file: 'src/modules/scim/provisioning.service.ts',
    find: 'await this.tokens.endReaching(directory, account.id, organizationId);',
    replace: '',
    caughtBy: LEAVING,
    test: 'joins, moves, leaves within seconds, and comes back to what she had',
  },
  {
    name: 'the address of an account follows the directory after its owner has moved to another one',
    file: 'src/modules/scim/users/scim-users.service.ts',
    find: 'if (!(await this.isSpokenFor(directory, account.email))) return;',
    replace: '',
    caughtBy: ATTACKS,
    test: 'do not follow the directory once its owner has another address',
  },
  {
    name: 'a directory lifts the suspension by an administrator',
    file: 'src/modules/users/users.service.ts',
    find: 'if (status !== undefined) for (const observe of this.statusObservers) await observe(row.id);',
    replace: '',
    caughtBy: ATTACKS,
    test: 'stays suspended by an administrator who has lifted the suspension by the directory before',
  },
  {
    name: 'a team gets a member from the directory of its former home',
    file: 'src/modules/resources/teams/teams.repository.ts',
    find: 'AND team.organization_id = $2 AND is_of_team(team, r.id)',
    replace: 'AND $2::text IS NOT NULL AND is_of_team(team, r.id)',
    caughtBy: ATTACKS,
    test: 'gets no member from the directory of its former home, and is kept by hand',
  },
];
