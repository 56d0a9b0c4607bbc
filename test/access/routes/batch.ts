import type { World } from '../callers.js';
import { made, post, type Row } from '../rows.js';

const create = ({ endeavour }: World): object => ({
  method: 'POST',
  path: '/api/v1/tasks',
  body: { title: 'Rake', endeavour_id: endeavour },
});

export const BATCH: readonly Row[] = [
  {
    operation: 'batch_run',
    when: 'creating',
    needs: 'tasks_create',
    scope: 'endeavour',
    inBody: true,
    success: 200,
    request: (world) => post('/batch', { operations: [create(world), create(world)] }),
  },
  {
    operation: 'batch_run',
    when: 'changing',
    needs: 'tasks_update',
    scope: 'endeavour',
    success: 200,
    request: async (world) => {
      const id = await made(world, world.founder, '/tasks', { title: 'Rake', endeavour_id: world.endeavour });
      return post('/batch', { operations: [{ method: 'PATCH', path: `/api/v1/tasks/${id}`, body: { title: 'Mow' } }] });
    },
  },
];
