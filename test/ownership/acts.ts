import type { Endeavour, Model, Organization, Rank, Resource } from './model.js';

/** A request of one person, the answer that the model expects, and what the request changes in the model. */
export interface Act {
  who: string;
  method: 'get' | 'post' | 'patch' | 'delete';
  path: string;
  body?: object;
  status: number;
  /** Runs where the status is a success; `id` is that of what was created. */
  apply?: (id: string) => void;
}

/** The first refusal, in the order in which the service looks; the success where there is none. */
export function firstOf(success: number, ...checks: [status: number, refuses: boolean][]): number {
  return checks.find(([, refuses]) => refuses)?.[0] ?? success;
}

/** The refusals of a new role for a person, by every route (spec 02). */
export function grantChecks(
  { mine, present, next, isLast }: { mine: Rank; present: Rank; next: Rank; isLast: boolean },
  isArchived: boolean,
): [number, boolean][] {
  const touched = next === present ? 0 : Math.max(next, present);
  return [
    [403, mine < 3],
    [403, touched > mine],
    [409, isLast && present === 4 && next < 4],
    [409, isArchived && !(present > 0 && next < present)],
  ];
}

export const createEndeavour = (m: Model, who: string, at: Organization | undefined, isPrivate: boolean): Act => ({
  who,
  method: 'post',
  path: '/endeavours',
  body: { name: 'Garden', is_private: isPrivate, ...(at !== undefined && { organization_id: at.id }) },
  status: firstOf(
    201,
    [400, at !== undefined && m.rankIn(at.id, who) === 0],
    [403, at !== undefined && m.rankIn(at.id, who) < 2],
    [409, at?.isArchived === true],
  ),
  apply: (id) =>
    m.endeavours.set(id, {
      id,
      home: at?.id ?? null,
      shares: new Set(),
      isPrivate,
      archived: 'no',
      direct: new Map([[who, 4]]),
      departed: new Set(),
    }),
});

export const setPrivate = (m: Model, who: string, endeavour: Endeavour, isPrivate: boolean): Act => ({
  who,
  method: 'patch',
  path: `/endeavours/${endeavour.id}`,
  body: { is_private: isPrivate },
  status: firstOf(
    200,
    [404, m.role(endeavour, who) === 0],
    [403, m.role(endeavour, who) < 3],
    [409, endeavour.archived !== 'no'],
  ),
  apply: () => (endeavour.isPrivate = isPrivate),
});

export const archiveEndeavour = (m: Model, who: string, endeavour: Endeavour): Act => ({
  who,
  method: 'post',
  path: `/endeavours/${endeavour.id}/archive`,
  body: { reason: 'Over' },
  status: firstOf(
    200,
    [404, m.role(endeavour, who) === 0],
    [403, m.role(endeavour, who) < 4],
    [409, endeavour.archived !== 'no'],
  ),
  apply: () => (endeavour.archived = 'alone'),
});

export const unarchiveEndeavour = (m: Model, who: string, endeavour: Endeavour): Act => ({
  who,
  method: 'post',
  path: `/endeavours/${endeavour.id}/unarchive`,
  body: {},
  status: firstOf(
    200,
    [404, m.role(endeavour, who) === 0],
    [403, m.role(endeavour, who) < 4],
    [403, endeavour.home === null ? endeavour.direct.get(who) !== 4 : m.rankIn(endeavour.home, who) < 4],
    [409, endeavour.archived === 'no'],
    [409, m.isHomeArchived(endeavour)],
  ),
  apply: () => (endeavour.archived = 'no'),
});

export const archiveOrganization = (m: Model, who: string, organization: Organization): Act => ({
  who,
  method: 'post',
  path: `/organizations/${organization.id}/archive`,
  body: { reason: 'Over' },
  status: firstOf(
    200,
    [404, m.rankIn(organization.id, who) === 0],
    [403, m.rankIn(organization.id, who) < 4],
    [409, organization.isArchived],
  ),
  apply() {
    organization.isArchived = true;
    for (const endeavour of m.endeavours.values()) {
      endeavour.shares.delete(organization.id);
      if (endeavour.home === organization.id && endeavour.archived === 'no') endeavour.archived = 'with home';
    }
  },
});

export const unarchiveOrganization = (m: Model, who: string, organization: Organization): Act => ({
  who,
  method: 'post',
  path: `/organizations/${organization.id}/unarchive`,
  body: {},
  status: firstOf(
    200,
    [404, m.rankIn(organization.id, who) === 0],
    [403, m.rankIn(organization.id, who) < 4],
    [409, !organization.isArchived],
  ),
  apply() {
    organization.isArchived = false;
    for (const endeavour of m.endeavours.values()) {
      if (endeavour.home === organization.id && endeavour.archived === 'with home') endeavour.archived = 'no';
    }
  },
});

/** A probe that changes nothing: whether a person may change the resource. */
export const probe = (m: Model, who: string, thing: Endeavour | Resource): Act => {
  const isResource = 'creator' in thing;
  return {
    who,
    method: 'patch',
    path: `/${isResource ? 'resources' : 'endeavours'}/${thing.id}`,
    body: {},
    status: isResource
      ? firstOf(200, [404, m.sight(thing, who) === 0], [403, !m.manages(thing, who)], [409, m.isHomeArchived(thing)])
      : firstOf(200, [404, m.role(thing, who) === 0], [403, m.role(thing, who) < 3], [409, thing.archived !== 'no']),
  };
};
