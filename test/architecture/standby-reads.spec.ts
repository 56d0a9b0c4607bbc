import { OperationRegistry } from '../../src/access/operations/operation-registry.js';
import { readsStandby } from '../../src/access/operations/operation.js';
import { InProcessApp } from '../support/in-process-app.js';

describe('the operations that a standby may answer', () => {
  let app: InProcessApp;

  beforeAll(async () => (app = await InProcessApp.open()));
  afterAll(() => app.close());

  const declared = () =>
    [...app.nest.get(OperationRegistry).all].filter(({ declaration }) => readsStandby(declaration));

  it('are these, and lists with their searches and complete lists', () => {
    const others = declared().filter(({ declaration }) => declaration.list === undefined);
    expect(others.map(({ id }) => id).toSorted()).toEqual([
      'activity_list',
      'auth_my_data_get',
      'endeavours_export_get',
      'endeavours_progress_get',
      'iterations_report_get',
      'organizations_export_get',
      'reports_get',
      'search_list',
    ]);
  });

  it('only read', () => {
    expect(declared().filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
