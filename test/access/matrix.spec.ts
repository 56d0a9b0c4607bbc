import { permissionOf, PERMISSIONS, type OperationId } from '../../src/access/permissions.js';
import { describeMatrix } from './matrix.js';
import { ROWS } from './routes/all.js';

/** Operations that need no row because they are public, or part of other operations. */
const WITHOUT_ROW = (Object.keys(PERMISSIONS) as OperationId[]).filter((operation) => {
  const { access, isPart } = permissionOf(operation);
  return access === 'public' || isPart === true;
});

it('has a row for every operation', () => {
  const rows = new Set<string>(ROWS.map(({ operation }) => operation));
  const all = Object.keys(PERMISSIONS) as OperationId[];
  expect(all.filter((operation) => !rows.has(operation) && !WITHOUT_ROW.includes(operation))).toEqual([]);
});

describeMatrix(ROWS);
