import { made, put, type Row } from '../rows.js';
import type { World } from '../callers.js';

let count = 0;

/** An unused id of the other system. */
const unused = (): string => `GARDEN-${(count += 1)}`;

const inEndeavour = ({ endeavour }: World): string => `endeavour_id=${endeavour}`;
const inOrganization = ({ organization }: World): string => `organization_id=${organization}`;

type PutOperation = Extract<Row['operation'], `${string}_by_external_put`>;

/** The rows of one kind: a PUT that creates an entity, and one that changes an entity of the founder. */
function rowsOf(
  kind: string,
  scope: 'endeavour' | 'organization',
  bodyOf: (world: World) => Record<string, unknown>,
  exceptions?: Row['exceptions'],
): Row[] {
  const operation = `${kind}_by_external_put` as PutOperation;
  const query = scope === 'endeavour' ? inEndeavour : inOrganization;
  const pathOf = (world: World, id: string) => `/${kind}/by-external/jira/${id}?${query(world)}`;
  return [
    {
      operation,
      when: 'to create',
      scope,
      inBody: true,
      success: 201,
      request: (world) => put(pathOf(world, unused()), bodyOf(world)),
    },
    {
      operation,
      when: 'to change',
      scope,
      inBody: true,
      success: 200,
      request: async (world) => {
        const id = unused();
        const [column, container] = query(world).split('=');
        const external_ref = { source: 'jira', id };
        await made(world, world.founder, `/${kind}`, { ...bodyOf(world), [column]: container, external_ref });
        return put(pathOf(world, id), { metadata: { changed: true } });
      },
      exceptions,
    },
  ];
}

export const EXTERNAL_REFS: readonly Row[] = [
  ...rowsOf('tasks', 'endeavour', () => ({ title: 'Paint the gate' })),
  ...rowsOf('demands', 'endeavour', () => ({ type: 'story', title: 'More shade' })),
  ...rowsOf('artifacts', 'endeavour', () => ({ kind: 'doc', title: 'Plan' })),
  ...rowsOf('resources', 'organization', () => ({ name: 'Mower', type: 'service' })),
  ...rowsOf('endeavours', 'organization', () => ({ name: 'Another' }), { 'organization member': 403 }),
];
