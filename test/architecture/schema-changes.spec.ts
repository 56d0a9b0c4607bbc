import { phaseFaults, readMigrations, readSources, unnamedColumns } from '../../scripts/schema-changes.mjs';

const REPOSITORY = 'src/modules/tasks/tasks.repository.ts';
const ENTITY = { path: 'src/modules/tasks/task.entity.ts', text: `@Entity('tasks') class Task {}` };
const repository = (text: string) => [ENTITY, { path: REPOSITORY, text }];
const migration = (text: string) => [{ path: 'src/migrations/1763700003510-change.ts', text }];

describe('the rule that statements name their columns', () => {
  it.each([
    ['all columns of a table', 'one(`SELECT * FROM tasks WHERE id = $1`)'],
    ['all columns of an alias', 'one(`SELECT t.*, now() FROM tasks t`)'],
    ['all columns after others', 'one(`SELECT now(), t.* FROM x JOIN tasks AS t ON true`)'],
    ['returned columns', 'one(`UPDATE tasks t SET title = $1 RETURNING *`)'],
    ['returned columns of an alias', 'one(`DELETE FROM tasks t RETURNING t.*`)'],
  ])('fails for %s', (_, text) => {
    expect(unnamedColumns(repository(text))).toEqual([
      expect.stringMatching(`^${REPOSITORY} does not name the columns of: `),
    ]);
  });

  it.each([
    ['a count', 'one(`SELECT count(*) FROM tasks`)'],
    ['a subquery, whose columns the result names', 'one(`SELECT x.id FROM (SELECT * FROM tasks) x`)'],
    ['a result that has the columns of a subquery', 'one(`SELECT * FROM (SELECT id FROM tasks) x`)'],
    ['a row within a statement', 'one(`WITH t AS (INSERT INTO tasks (id) VALUES ($1) RETURNING *) SELECT id FROM t`)'],
    ['a pattern', `const pattern = 'task.*';`],
  ])('allows %s', (_, text) => {
    expect(unnamedColumns(repository(text))).toEqual([]);
  });

  it('holds for the service', () => {
    expect(unnamedColumns(readSources(process.cwd()))).toEqual([]);
  });
});

describe('the rule that migrations say whether they expand or contract', () => {
  const up = (statement: string, phase = 'expand') =>
    `class A { static readonly phase = '${phase}'; async up(runner) { await runner.query('${statement}'); } async down(runner) {} }`;

  it('fails for a migration without a phase', () => {
    expect(phaseFaults(migration('class A { async up(runner) {} }'))).toEqual([
      expect.stringContaining('does not say its phase'),
    ]);
  });

  it.each([
    'ALTER TABLE tasks DROP COLUMN title',
    'DROP TABLE tasks',
    'ALTER TABLE tasks RENAME TO jobs',
    'ALTER TABLE tasks RENAME COLUMN title TO name',
    'ALTER TABLE tasks RENAME title TO name',
  ])('fails for an expansion that removes something: %s', (statement) => {
    expect(phaseFaults(migration(up(statement)))).toEqual([expect.stringContaining("must be 'contract'")]);
    expect(phaseFaults(migration(up(statement, 'contract')))).toEqual([]);
  });

  it('allows an expansion whose reversal removes what it added', () => {
    const text = up('ALTER TABLE tasks ADD COLUMN size text').replace(
      'async down(runner) {}',
      `async down(runner) { await runner.query('ALTER TABLE tasks DROP COLUMN size'); }`,
    );
    expect(phaseFaults(migration(text))).toEqual([]);
  });

  it('holds for the service', () => {
    expect(phaseFaults(readMigrations(process.cwd()))).toEqual([]);
  });
});
