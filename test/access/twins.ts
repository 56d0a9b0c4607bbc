import type { World } from './callers.js';

/** An organization like the world's, for requests that leave nothing as it was: the same callers in the same roles. */
export async function twinOrganization({ app, founder, organization }: World): Promise<string> {
  const id = await app.organization(founder);
  await app.database.query(
    `INSERT INTO organization_resources (organization_id, user_id, resource_id, role)
     SELECT $2, user_id, resource_id, role FROM organization_resources WHERE organization_id = $1
     ON CONFLICT DO NOTHING`,
    [organization, id],
  );
  return id;
}

/** An endeavour like the world's, with the same home and shared with the same partner. */
export async function twinEndeavour({ app, founder, organization, partner, endeavour }: World): Promise<string> {
  const id = await app.endeavour(founder);
  await app.link(organization, id);
  await app.link(partner, id);
  await app.database.query(
    `INSERT INTO endeavour_members (endeavour_id, user_id, resource_id, role)
     SELECT $2, user_id, resource_id, role FROM endeavour_members WHERE endeavour_id = $1 ON CONFLICT DO NOTHING`,
    [endeavour, id],
  );
  return id;
}

/** One of what every installation has from the start; its id. */
export async function builtIn(
  { app }: Pick<World, 'app'>,
  table: 'rituals' | 'templates' | 'dod_policies',
): Promise<string> {
  const row = await app.database.one<{ id: string }>(`SELECT id FROM ${table} WHERE origin = 'template' LIMIT 1`);
  return row?.id ?? '';
}
