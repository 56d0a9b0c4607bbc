import { KEYED_PARAMETERS } from '../../src/modules/views/list-query.field.js';
import { demandList } from '../../src/modules/demands/demand.list.js';
import { taskList } from '../../src/modules/tasks/task.list.js';
import { KEYED_KINDS } from '../../src/common/work-keys.js';

it('the query of a view takes keys wherever one of its lists does', () => {
  const taken = [taskList, demandList].flatMap(({ filters }) =>
    Object.entries(filters).flatMap(([name, { kinds = [] }]) =>
      kinds.filter((kind) => (KEYED_KINDS as readonly string[]).includes(kind)).map((kind) => `${name} ${kind}`),
    ),
  );
  const declared = Object.entries(KEYED_PARAMETERS).flatMap(([name, { kinds = [] }]) =>
    kinds.map((kind) => `${name} ${kind}`),
  );
  expect(declared.toSorted()).toEqual([...new Set(taken)].toSorted());
});
