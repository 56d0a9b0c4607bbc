import { expectedStatus, type Act } from './acts.js';
import type { Endeavour, Model, Organization, Resource } from './model.js';

export const linkEndeavour = (m: Model, who: string, at: Organization, endeavour: Endeavour): Act => {
  const { home, shares } = endeavour;
  return {
    who,
    method: 'post',
    path: `/organizations/${at.id}/endeavours`,
    body: { endeavour_id: endeavour.id },
    status: expectedStatus(
      200,
      [404, m.rankIn(at.id, who) === 0],
      [403, m.rankIn(at.id, who) < 3],
      [400, m.role(endeavour, who) === 0],
      [403, m.role(endeavour, who) < 4],
      [403, home !== null && home !== at.id && m.rankIn(home, who) < 4],
      [409, at.isArchived],
      [409, endeavour.archived !== 'no'],
    ),
    apply() {
      if (home === at.id) return;
      if (home !== null) shares.add(at.id);
      else {
        shares.delete(at.id);
        endeavour.home = at.id;
      }
    },
  };
};

export const unlinkEndeavour = (m: Model, who: string, at: Organization, endeavour: Endeavour): Act => {
  const owns = m.role(endeavour, who) >= 4;
  const isHome = endeavour.home === at.id;
  return {
    who,
    method: 'delete',
    path: `/organizations/${at.id}/endeavours/${endeavour.id}`,
    status: expectedStatus(
      200,
      [404, !owns && m.rankIn(at.id, who) === 0],
      [403, !owns && m.rankIn(at.id, who) < 3],
      [404, !isHome && !endeavour.shares.has(at.id)],
      [403, isHome && m.rankIn(at.id, who) < 4],
      [409, endeavour.archived !== 'no'],
      [409, isHome && !m.hasOwner(endeavour)],
    ),
    apply() {
      if (isHome) Object.assign(endeavour, { home: null, requested: undefined });
      else endeavour.shares.delete(at.id);
    },
  };
};

export const transferEndeavour = (m: Model, who: string, to: Organization, endeavour: Endeavour): Act => {
  const { home } = endeavour;
  const isConfirmation = m.isRequestedByOther(endeavour, to.id, who);
  const checks: [status: number, rejects: boolean][] = [
    [404, m.role(endeavour, who) === 0],
    [403, m.role(endeavour, who) < 4],
    [403, home !== null && m.rankIn(home, who) < 4],
    [400, !isConfirmation && m.rankIn(to.id, who) === 0],
    [403, !isConfirmation && m.rankIn(to.id, who) < 3],
    [409, endeavour.archived !== 'no'],
    [409, to.isArchived],
    [409, home === null],
  ];
  const isAllowed = checks.every(([, rejects]) => !rejects);
  const isKept = isAllowed && !isConfirmation && m.needsSecondOwner(endeavour, to.id, who);
  return {
    who,
    method: 'post',
    path: `/endeavours/${endeavour.id}/transfer`,
    body: { organization_id: to.id },
    status: expectedStatus(200, ...checks, [409, isKept]),
    keep() {
      if (isKept) endeavour.requested = { by: who, to: to.id };
    },
    apply() {
      endeavour.shares.delete(to.id);
      if (endeavour.home !== to.id) endeavour.requested = undefined;
      endeavour.home = to.id;
    },
  };
};

export const createResource = (m: Model, who: string, at: Organization | undefined): Act => ({
  who,
  method: 'post',
  path: '/resources',
  body: {
    name: 'Server',
    type: 'service',
    capacity_value: 7,
    metadata: { rack: 4 },
    ...(at !== undefined && { organization_id: at.id }),
  },
  status: expectedStatus(
    201,
    [400, at !== undefined && m.rankIn(at.id, who) === 0],
    [403, at !== undefined && m.rankIn(at.id, who) < 3],
    [409, at?.isArchived === true],
  ),
  apply: (id) => m.resources.set(id, { id, home: at?.id ?? null, shares: new Set(), creator: who }),
});

export const addResource = (m: Model, who: string, at: Organization, resource: Resource): Act => {
  const { home, shares, creator } = resource;
  const isIn = home === at.id || shares.has(at.id);
  const isHomecoming = home === null && creator === who;
  return {
    who,
    method: 'post',
    path: `/organizations/${at.id}/resources`,
    body: { resource_id: resource.id },
    status: expectedStatus(
      200,
      [404, m.rankIn(at.id, who) === 0],
      [403, m.rankIn(at.id, who) < 3],
      [400, m.visibilityOf(resource, who) === 0],
      [403, !isIn && !isHomecoming && (home === null || m.rankIn(home, who) < 4)],
      [409, at.isArchived],
      [409, m.isHomeArchived(resource)],
    ),
    apply() {
      if (isHomecoming) {
        shares.delete(at.id);
        resource.home = at.id;
      } else if (!isIn) shares.add(at.id);
    },
  };
};

export const removeResource = (m: Model, who: string, at: Organization, resource: Resource): Act => {
  const isHome = resource.home === at.id;
  const isOfMine = !isHome && m.visibilityOf(resource, who) > 0 && m.manages(resource, who);
  return {
    who,
    method: 'delete',
    path: `/organizations/${at.id}/resources/${resource.id}`,
    status: expectedStatus(
      200,
      [404, !isOfMine && m.rankIn(at.id, who) === 0],
      [403, !isOfMine && m.rankIn(at.id, who) < 3],
      [404, !isHome && !resource.shares.has(at.id)],
      [403, isHome && m.rankIn(at.id, who) < 4],
      [409, isHome && at.isArchived],
    ),
    apply() {
      if (isHome) resource.home = null;
      else resource.shares.delete(at.id);
    },
  };
};

export const transferResource = (m: Model, who: string, to: Organization, resource: Resource): Act => {
  const { home, shares } = resource;
  return {
    who,
    method: 'post',
    path: `/resources/${resource.id}/transfer`,
    body: { organization_id: to.id },
    status: expectedStatus(
      200,
      [404, m.visibilityOf(resource, who) === 0],
      [403, home === null ? !m.manages(resource, who) : m.rankIn(home, who) < 4],
      [400, m.rankIn(to.id, who) === 0],
      [403, m.rankIn(to.id, who) < 3],
      [409, m.isHomeArchived(resource)],
      [409, to.isArchived],
      [409, home === null],
    ),
    apply() {
      shares.delete(to.id);
      resource.home = to.id;
    },
  };
};
