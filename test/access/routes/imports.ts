import type { World } from '../callers.js';
import { get, partners, post, type ApiRequest, type Row } from '../rows.js';

/** An import while no other is at work. */
async function importing(
  { app, endeavour }: World,
  target = `format=github&endeavour_id=${endeavour}`,
): Promise<ApiRequest> {
  await app.database.query(
    `UPDATE operations SET status = 'canceled', finished_at = now() WHERE type = 'imports_create' AND finished_at IS NULL`,
  );
  return post(`/imports?${target}`, target.startsWith('format=github') ? { issues: [] } : { endeavours: [] });
}

export const IMPORTS: readonly Row[] = [
  { operation: 'imports_create', scope: 'endeavour', inBody: true, success: 202, request: (world) => importing(world) },
  {
    operation: 'imports_create',
    when: 'into an organization',
    scope: 'organization',
    inBody: true,
    success: 202,
    request: (world) => importing(world, `format=worksmith&organization_id=${world.organization}`),
    exceptions: { 'organization admin': 403 },
  },
  {
    operation: 'imports_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => {
      const { path, body } = await importing(world);
      const started = await world.app.as(world.founder).post(path).send(body).expect(202);
      return get(`/imports/${started.body.data.id.replace('opr_', 'imp_')}`);
    },
    exceptions: {
      'organization guest': 404,
      'organization member': 404,
      'endeavour viewer': 404,
      'endeavour member': 404,
      ...partners(404),
    },
  },
  {
    operation: 'imports_undo',
    scope: 'endeavour',
    success: 202,
    request: async (world) => {
      const { path, body } = await importing(world);
      const started = await world.app.as(world.founder).post(path).send(body).expect(202);
      await world.app.database.query(`UPDATE operations SET status = 'succeeded', finished_at = now() WHERE id = $1`, [
        started.body.data.id,
      ]);
      return post(`/imports/${started.body.data.id.replace('opr_', 'imp_')}/undo`, {});
    },
    exceptions: {
      'organization guest': 404,
      'organization member': 404,
      'endeavour viewer': 404,
      'endeavour member': 404,
      ...partners(404),
    },
  },
];
