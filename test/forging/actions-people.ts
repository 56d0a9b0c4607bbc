import { conditionsOf, quorumOf } from './policies.js';
import type { Name, Place } from './people.js';
import type { Sequence, Weighted } from './sequence.js';
import { NAMES, ROLE_OF_RANK } from './world.js';

async function toggleTeamMembership({ random, world, model, log }: Sequence): Promise<void> {
  const { app, people, team } = world;
  const who = random.pick(['bob', 'cat', 'eve', 'bot']);
  const isIn = model.isInTeam(who);
  log.push(`${who} ${isIn ? 'leaves' : 'joins'} the team`);
  const values = [team, people[who].resourceId];
  if (isIn) await app.database.query('DELETE FROM team_members WHERE team_id = $1 AND resource_id = $2', values);
  else await app.database.query('INSERT INTO team_members (team_id, resource_id) VALUES ($1, $2)', values);
  if (isIn) model.leaveTeam(who);
  else model.joinTeam(who);
}

async function changeMembership(sequence: Sequence): Promise<void> {
  const { model, random, world, places } = sequence;
  const who = random.pick(['bob', 'cat', 'eve', 'fay', 'dia', 'bot']);
  const place = random.chance(0.8) ? model.place : random.pick(['garden', 'shed'] as const);
  const members = model.people.members[place];
  if (members.has(who) && random.chance(0.35)) return remove(sequence, who, place);
  const path = `/endeavours/${places[place]}/members/${world.people[who].id}`;
  const roles = { dia: ['admin'], bob: ['viewer', 'member', 'admin'] }[who] ?? ['viewer', 'member', 'member'];
  const role = random.pick(roles);
  const stakeholderRoles = random.chance(0.6) ? ['qa'] : [];
  const rank = ROLE_OF_RANK.indexOf(role);
  if (!members.has(who)) {
    await world.app.join(places[place], world.people[who], role, stakeholderRoles);
    sequence.log.push(`${who} joins ${place} as ${role} ${stakeholderRoles.join()}`);
    members.set(who, { rank, stakeholderRoles });
    model.recordLosses(who);
    return;
  }
  const by = random.pick(handsIn(sequence, place));
  const { status } = await sequence.send(by, 'patch', path, { role, stakeholder_roles: stakeholderRoles });
  if (status !== 200) return;
  members.set(who, { ...members.get(who), rank, stakeholderRoles });
  model.recordLosses(by);
}

/** Those of the admins who can change members. */
const handsIn = ({ model: { people } }: Sequence, place: Place): Name[] => {
  const isAdmin = (who: Name): boolean => people.isActive(who) && people.rankOf(who, place) >= 3;
  return ['ann', 'ann', ...['dia', 'dia'].filter(isAdmin)];
};

/** Removes a member, by an admin or by leaving. */
async function remove(sequence: Sequence, who: Name, place: Place): Promise<void> {
  const { model, random, world, places } = sequence;
  const { people } = model;
  const isOwn = random.chance(0.25) && people.isActive(who) && !people.isAgent(who);
  const by = isOwn ? who : random.pick(handsIn(sequence, place));
  const path = `/endeavours/${places[place]}/members/${world.people[who].id}`;
  if ((await sequence.send(by, 'delete', path)).status !== 200) return;
  people.members[place].delete(who);
  model.recordLosses(by);
}

async function toggleSuspension({ model, random, world, log }: Sequence): Promise<void> {
  const { suspended } = model.people;
  const who = random.pick(['bob', 'cat', 'eve']);
  const status = suspended.has(who) ? 'active' : 'suspended';
  log.push(`${who} is ${status}`);
  await world.app.database.query('UPDATE users SET status = $2 WHERE id = $1', [world.people[who].id, status]);
  if (status === 'active') suspended.delete(who);
  else suspended.add(who);
}

async function handOver({ model, world, log }: Sequence): Promise<void> {
  const { people, now } = model;
  if (!people.isActive('eve') || !people.isActive('fay')) return;
  const manager = await world.handOver();
  log.push(`bot is handed to ${manager}`);
  people.handOver('bot', manager, now);
  model.recordLosses(manager);
}

async function assignPolicy(sequence: Sequence): Promise<void> {
  const { random, policies } = sequence;
  const place = random.pick(['garden', 'garden', 'shed'] as const);
  await sequence.assignPolicy(place, random.chance(0.1) ? undefined : random.pick(policies));
  for (const who of NAMES) if (random.chance(0.3)) await sequence.endorse(who, place);
}

/** Makes a new version of a policy, which replaces it wherever it is in force. */
async function versionPolicy(sequence: Sequence): Promise<void> {
  const { random, policies, model } = sequence;
  const index = random.below(policies.length);
  const before = policies[index];
  const isKept = random.chance(0.6);
  const fresh = conditionsOf(random);
  // A version often changes only what its attestation asks for.
  const conditions = isKept ? before.conditions.map((each) => fresh.find(({ id }) => id === each.id) ?? each) : fresh;
  const quorum = quorumOf(random, conditions);
  const sent = {
    conditions,
    ...(quorum === undefined ? { strictness: 'all', quorum: null } : { strictness: 'n_of', quorum }),
  };
  const { status, body } = await sequence.send('gus', 'post', `/dod-policies/${before.id}/versions`, sent);
  if (status !== 201) return sequence.differ('a version', '201', body);
  const after = { id: body.data.id, conditions, ...(quorum !== undefined && { quorum }) };
  policies[index] = after;
  for (const place of ['garden', 'shed'] as const) {
    if (model.policies[place]?.id !== before.id) continue;
    sequence.putInForce(place, after);
    for (const who of NAMES) if (random.chance(0.3)) await sequence.endorse(who, place);
  }
}

async function endorse(sequence: Sequence): Promise<void> {
  const { random } = sequence;
  await sequence.endorse(random.pick(NAMES), random.pick(['garden', 'shed'] as const));
}

export const PEOPLE: Weighted[] = [
  [3, 'changeMembership', changeMembership],
  [1, 'toggleTeamMembership', toggleTeamMembership],
  [1, 'toggleSuspension', toggleSuspension],
  [1, 'handOver', handOver],
  [1, 'assignPolicy', assignPolicy],
  [2, 'versionPolicy', versionPolicy],
  [1, 'endorse', endorse],
];
