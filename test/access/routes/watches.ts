import type { World } from '../callers.js';
import { del, put, type Row } from '../rows.js';

const PATHS: Record<string, (world: World) => Promise<string> | string> = {
  tasks: ({ app, founder, endeavour }) => app.task(founder, endeavour),
  demands: ({ app, founder, endeavour }) => app.demand(founder, endeavour),
  endeavours: ({ endeavour }) => endeavour,
};

export const WATCHES: readonly Row[] = Object.entries(PATHS).flatMap(([kinds, idOf]): Row[] => [
  {
    operation: `${kinds}_watch_put` as Row['operation'],
    scope: 'endeavour',
    success: 200,
    request: async (world) => put(`/${kinds}/${await idOf(world)}/watch`),
  },
  {
    operation: `${kinds}_watch_remove` as Row['operation'],
    scope: 'endeavour',
    success: 200,
    request: async (world) => del(`/${kinds}/${await idOf(world)}/watch`),
  },
]);
