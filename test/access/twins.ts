import type { World } from './callers.js';

/** An organization like the world's, for requests that leave nothing as it was: the same callers in the same roles. */
export async function twinOrganization({ house, founder, organization }: World): Promise<string> {
  const id = await house.organization(founder);
  await house.database.query(
    `INSERT INTO organization_resources (organization_id, user_id, resource_id, role)
     SELECT $2, user_id, resource_id, role FROM organization_resources WHERE organization_id = $1
     ON CONFLICT DO NOTHING`,
    [organization, id],
  );
  return id;
}

/** An endeavour like the world's, in the same organization. */
export async function twinEndeavour({ house, founder, organization, endeavour }: World): Promise<string> {
  const id = await house.endeavour(founder);
  await house.link(organization, id);
  await house.database.query(
    `INSERT INTO endeavour_members (endeavour_id, user_id, resource_id, role)
     SELECT $2, user_id, resource_id, role FROM endeavour_members WHERE endeavour_id = $1 ON CONFLICT DO NOTHING`,
    [endeavour, id],
  );
  return id;
}

/** One of what every installation has from the start; its id. */
export async function builtIn(
  { house }: Pick<World, 'house'>,
  table: 'rituals' | 'templates' | 'dod_policies',
): Promise<string> {
  const row = await house.database.one<{ id: string }>(`SELECT id FROM ${table} WHERE origin = 'template' LIMIT 1`);
  return row?.id ?? '';
}
