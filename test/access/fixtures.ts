import type { World } from './callers.js';

/** Creates an organization with the same callers and roles as the world's, for requests that use up their target. */
export async function copyOrganization({ app, founder, organization }: World): Promise<string> {
  const id = await app.organization(founder);
  await app.database.query(
    `INSERT INTO organization_resources (organization_id, user_id, resource_id, role)
     SELECT $2, user_id, resource_id, role FROM organization_resources WHERE organization_id = $1
     ON CONFLICT DO NOTHING`,
    [organization, id],
  );
  return id;
}

/** Creates an endeavour with the same home, partner, callers and roles as the world's. */
export async function copyEndeavour({ app, founder, organization, partner, endeavour }: World): Promise<string> {
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

/** Returns the id of a resource that every installation has from the start. */
export async function builtIn(
  { app }: Pick<World, 'app'>,
  table: 'rituals' | 'templates' | 'dod_policies',
): Promise<string> {
  const row = await app.database.one<{ id: string }>(`SELECT id FROM ${table} WHERE origin = 'template' LIMIT 1`);
  return row?.id ?? '';
}
