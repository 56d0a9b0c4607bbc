import { permissionOf, PERMISSIONS, type OperationId } from '../../src/access/permissions/permissions.js';
import { EXPECTED_RIGHTS } from './expected-rights.js';
import { describeMatrix } from './matrix.js';
import { ROWS } from './routes/all.js';

/** Operations that need no row because they are public, or part of other operations. */
const WITHOUT_ROW = (Object.keys(PERMISSIONS) as OperationId[]).filter((operation) => {
  return EXPECTED_RIGHTS[operation][0] === 'public' || permissionOf(operation).isPart === true;
});

it('has a row for every operation', () => {
  const rows = new Set<string>(ROWS.map(({ operation }) => operation));
  const all = Object.keys(PERMISSIONS) as OperationId[];
  expect(all.filter((operation) => !rows.has(operation) && !WITHOUT_ROW.includes(operation))).toEqual([]);
});

it('expects what the permission table says', () => {
  const all = Object.keys(PERMISSIONS) as OperationId[];
  const rights = all.map((operation) => {
    const { access, role, tokens } = permissionOf(operation);
    if (access === 'public') return [operation, ['public']];
    const who = access === 'admin' ? 'administrator' : (role ?? 'signed in');
    return [operation, [who, ...[tokens].flat()]];
  });
  expect(Object.fromEntries(rights)).toEqual(EXPECTED_RIGHTS);
});

describeMatrix(ROWS);
