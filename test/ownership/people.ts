import { expectedStatus, grantChecks, type Act } from './acts.js';
import { IN_ENDEAVOURS, ROLES, type Endeavour, type Model, type Organization, type Rank } from './model.js';

/** Users by the name of the person. */
export type Ids = Record<string, { id: string }>;

const isLastOwner = ({ members }: Organization, whom: string): boolean =>
  [...members].every(([who, rank]) => rank < 4 || who === whom);

export const addToOrganization = (
  m: Model,
  ids: Ids,
  { who, at, whom, rank, isPatch }: { who: string; at: Organization; whom: string; rank: Rank; isPatch: boolean },
): Act => {
  const mine = m.rankIn(at.id, who);
  const present = m.rankIn(at.id, whom);
  const checks = grantChecks({ mine, present, next: rank, isLast: isLastOwner(at, whom) }, at.isArchived);
  const path = `/organizations/${at.id}/members`;
  return {
    who,
    method: isPatch ? 'patch' : 'post',
    path: isPatch ? `${path}/${ids[whom].id}` : path,
    body: { ...(!isPatch && { user_id: ids[whom].id }), role: ROLES[rank - 1] },
    status: expectedStatus(
      isPatch ? 200 : 201,
      [404, mine === 0],
      [403, mine < 3],
      [400, !isPatch && !m.sees(who, whom)],
      // Only users who are members already can be added this way.
      [isPatch ? 404 : 403, present === 0],
      ...checks,
    ),
    apply: () => at.members.set(whom, rank),
  };
};

export const removeFromOrganization = (
  m: Model,
  ids: Ids,
  {
    who,
    at,
    whom,
    kept,
  }: { who: string; at: Organization; whom: string; kept: { endeavours: boolean; links: boolean } },
): Act => {
  const mine = m.rankIn(at.id, who);
  const present = m.rankIn(at.id, whom);
  const isMyself = who === whom;
  return {
    who,
    method: 'delete',
    path: `/organizations/${at.id}/members/${ids[whom].id}?keep_endeavours=${kept.endeavours}&keep_links=${kept.links}`,
    status: expectedStatus(
      200,
      [404, mine === 0],
      [404, present === 0],
      [403, kept.endeavours && (isMyself || mine < 3)],
      [403, kept.links && (isMyself || mine < 4)],
      [403, !isMyself && (mine < 3 || present > mine)],
      [409, present === 4 && isLastOwner(at, whom)],
    ),
    apply: () => m.removeMember(at.id, whom, kept),
  };
};

/** The checks of a direct role in an endeavour, which follow those of the route. */
const endeavourChecks = (
  m: Model,
  { who, at, whom, rank }: { who: string; at: Endeavour; whom: string; rank: Rank },
): [number, boolean][] => {
  const { home } = at;
  const present = at.direct.get(whom) ?? 0;
  const [low, high, last, archived] = grantChecks(
    { mine: m.role(at, who), present, next: rank, isLast: home === null && !m.hasOwner(at, whom) },
    at.archived !== 'no',
  );
  const isRaisedOutsider = home !== null && m.rankIn(home, whom) === 0 && rank > 2 && rank > present;
  return [low, high, [403, isRaisedOutsider && m.rankIn(home ?? '', who) < 4], last, archived];
};

export const addToEndeavour = (
  m: Model,
  ids: Ids,
  { who, at, whom, rank }: { who: string; at: Endeavour; whom: string; rank: Rank },
): Act => {
  const isAddition = who !== whom && !at.direct.has(whom);
  const isWithin = at.home === null ? rank <= 2 && m.administersMember(who, whom) : m.rankIn(at.home, whom) > 0;
  return {
    who,
    method: 'post',
    path: `/endeavours/${at.id}/members`,
    body: { user_id: ids[whom].id, role: IN_ENDEAVOURS[rank - 1] },
    status: expectedStatus(
      201,
      [404, m.role(at, who) === 0],
      [403, m.role(at, who) < 3],
      [400, !m.sees(who, whom)],
      [403, isAddition && (at.departed.has(whom) || !isWithin)],
      ...endeavourChecks(m, { who, at, whom, rank }),
    ),
    apply: () => at.direct.set(whom, rank),
  };
};

export const changeRoleInEndeavour = (
  m: Model,
  ids: Ids,
  { who, at, whom, rank }: { who: string; at: Endeavour; whom: string; rank: Rank },
): Act => ({
  who,
  method: 'patch',
  path: `/endeavours/${at.id}/members/${ids[whom].id}`,
  body: { role: IN_ENDEAVOURS[rank - 1] },
  status: expectedStatus(
    200,
    [404, m.role(at, who) === 0],
    [403, m.role(at, who) < 3],
    [404, m.role(at, whom) === 0],
    [409, !at.direct.has(whom)],
    ...endeavourChecks(m, { who, at, whom, rank }),
  ),
  apply: () => at.direct.set(whom, rank),
});

export const removeFromEndeavour = (
  m: Model,
  ids: Ids,
  { who, at, whom }: { who: string; at: Endeavour; whom: string },
): Act => {
  const mine = m.role(at, who);
  const present = at.direct.get(whom) ?? 0;
  const isMyself = who === whom;
  return {
    who,
    method: 'delete',
    path: `/endeavours/${at.id}/members/${ids[whom].id}`,
    status: expectedStatus(
      200,
      [404, mine === 0],
      [404, m.role(at, whom) === 0],
      [409, !at.direct.has(whom)],
      [403, !isMyself && (mine < 3 || present > mine)],
      [409, at.home === null && present === 4 && !m.hasOwner(at, whom)],
    ),
    apply() {
      at.direct.delete(whom);
      if (isMyself) at.departed.add(whom);
    },
  };
};

/** An invitation that every user with its token can accept; it raises the role of the user, and never lowers it. */
export const invite = (m: Model, { who, at, rank }: { who: string; at: Organization | Endeavour; rank: Rank }): Act => {
  const isOrganization = 'members' in at;
  const mine = isOrganization ? m.rankIn(at.id, who) : m.role(at, who);
  const home = isOrganization ? null : at.home;
  const place = isOrganization
    ? { organization_id: at.id, role: ROLES[rank - 1] }
    : { endeavour_id: at.id, endeavour_role: IN_ENDEAVOURS[rank - 1] };
  return {
    who,
    method: 'post',
    path: '/invitations',
    body: place,
    status: expectedStatus(
      201,
      [400, mine === 0],
      [403, mine < 3],
      [403, rank > mine],
      [403, home !== null && rank > 2 && m.rankIn(home, who) < 4],
      [409, isOrganization ? at.isArchived : at.archived !== 'no'],
    ),
  };
};

export const accept = (who: string, token: string, at: Organization | Endeavour, rank: Rank): Act => ({
  who,
  method: 'post',
  path: '/invitations/accept',
  body: { token },
  status: 200,
  apply() {
    const roles = 'members' in at ? at.members : at.direct;
    roles.set(who, Math.max(rank, roles.get(who) ?? 0) as Rank);
  },
});
