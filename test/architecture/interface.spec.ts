import { makeDocument } from '../../src/platform/http/documents.js';
import { House } from '../support/house.js';

/** The operations that were asked for, word for word and in the order of the request. */
const ASKED_FOR = [
  'POST /auth/register',
  'POST /auth/verify',
  'POST /auth/resend-verification',
  'POST /auth/login',
  'POST /auth/logout',
  'POST /auth/forgot-password',
  'POST /auth/reset-password',
  'POST /auth/change-password',
  'PATCH /auth/profile',
  'GET /auth/whoami',
  'GET /tasks',
  'POST /tasks',
  'GET /tasks/{id}',
  'PATCH /tasks/{id}',
  'GET /demands',
  'POST /demands',
  'GET /demands/{id}',
  'PATCH /demands/{id}',
  'GET /rituals',
  'POST /rituals',
  'GET /rituals/{id}',
  'PATCH /rituals/{id}',
  'POST /rituals/{id}/fork',
  'GET /rituals/{id}/lineage',
  'GET /resources',
  'POST /resources',
  'GET /resources/{id}',
  'PATCH /resources/{id}',
  'DELETE /resources/{id}',
  'GET /relations',
  'POST /relations',
  'DELETE /relations/{id}',
  'GET /approvals',
  'POST /approvals',
  'GET /approvals/{id}',
  'GET /users',
  'POST /users',
  'GET /users/{id}',
  'PATCH /users/{id}',
  'POST /users/{id}/endeavours',
  'GET /organizations',
  'POST /organizations',
  'GET /organizations/{id}',
  'PATCH /organizations/{id}',
  'GET /organizations/{id}/alert-terms',
  'PUT /organizations/{id}/alert-terms',
  'GET /organizations/{id}/archive',
  'POST /organizations/{id}/archive',
  'POST /organizations/{id}/endeavours',
  'GET /organizations/{id}/export',
  'POST /organizations/{id}/resources',
  'GET /endeavours',
  'POST /endeavours',
  'GET /endeavours/{id}',
  'PATCH /endeavours/{id}',
  'GET /endeavours/{id}/archive',
  'POST /endeavours/{id}/archive',
  'GET /endeavours/{id}/export',
  'GET /artifacts',
  'POST /artifacts',
  'GET /artifacts/{id}',
  'PATCH /artifacts/{id}',
  'GET /comments',
  'POST /comments',
  'GET /comments/{id}',
  'PATCH /comments/{id}',
  'DELETE /comments/{id}',
  'GET /templates',
  'POST /templates',
  'GET /templates/{id}',
  'PATCH /templates/{id}',
  'POST /templates/{id}/fork',
  'GET /templates/{id}/lineage',
  'GET /messages',
  'POST /messages',
  'GET /messages/{id}',
  'PATCH /messages/{id}',
  'POST /messages/{id}/reply',
  'GET /messages/{id}/thread',
  'GET /dod-endorsements',
  'POST /dod-endorsements',
  'GET /dod-policies',
  'POST /dod-policies',
  'GET /dod-policies/{id}',
  'PATCH /dod-policies/{id}',
  'GET /dod-policies/{id}/lineage',
  'POST /dod-policies/{id}/versions',
  'POST /endeavours/{id}/dod-policy',
  'DELETE /endeavours/{id}/dod-policy',
  'GET /endeavours/{id}/dod-status',
  'POST /tasks/{id}/dod-check',
  'POST /tasks/{id}/dod-override',
];

/** What is needed beside them, so that a stated rule can be used at all. */
const ADDED = [
  'DELETE /artifacts/{id}',
  'POST /auth/email/change',
  'POST /auth/email/verify',
  'GET /comments/{id}/history',
  'GET /dod-endorsements/{id}',
  'DELETE /dod-endorsements/{id}',
  'GET /endeavours/{id}/members',
  'POST /endeavours/{id}/members',
  'PATCH /endeavours/{id}/members/{user_id}',
  'DELETE /endeavours/{id}/members/{user_id}',
  'POST /endeavours/{id}/unarchive',
  'GET /invitations',
  'POST /invitations',
  'POST /invitations/accept',
  'DELETE /invitations/{id}',
  'GET /organizations/{id}/alerts',
  'DELETE /organizations/{id}/endeavours/{endeavour_id}',
  'GET /organizations/{id}/members',
  'POST /organizations/{id}/members',
  'PATCH /organizations/{id}/members/{user_id}',
  'DELETE /organizations/{id}/members/{user_id}',
  'DELETE /organizations/{id}/resources/{resource_id}',
  'POST /organizations/{id}/unarchive',
  'GET /reports/{scope}/{id}',
  'GET /resources/{id}/members',
  'POST /resources/{id}/members',
  'DELETE /resources/{id}/members/{resource_id}',
  'GET /ritual-runs',
  'POST /ritual-runs',
  'GET /ritual-runs/{id}',
  'PATCH /ritual-runs/{id}',
  'GET /rituals/{id}/occurrences',
  'GET /tasks/{id}/dod-checks',
  'DELETE /tasks/{id}/dod-override',
  'POST /tasks/{id}/dod-results',
  'GET /tasks/{id}/transitions',
  'POST /templates/{id}/preview',
];

/** Beside the interface: for whoever runs the service. */
const OUTSIDE = ['GET /health/live', 'GET /health/ready'];

const underPrefix = (operation: string): string => operation.replace(' ', ' /api/v1');

describe('the interface', () => {
  let operations: string[];

  beforeAll(async () => {
    const house = await House.open();
    operations = Object.entries(makeDocument(house.app).paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    await house.close();
  });

  it('has all 92 operations that were asked for', () => {
    expect(new Set(ASKED_FOR).size).toBe(92);
    expect(ASKED_FOR.map(underPrefix).filter((operation) => !operations.includes(operation))).toEqual([]);
  });

  it('has beside them these, and no other', () => {
    const asked = ASKED_FOR.map(underPrefix);
    const others = operations.filter((operation) => !asked.includes(operation));
    expect(others.sort()).toEqual([...ADDED.map(underPrefix), ...OUTSIDE].sort());
  });
});
