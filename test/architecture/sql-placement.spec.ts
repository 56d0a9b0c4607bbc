import { readFeatures, sqlViolations } from '../../scripts/sql-placement.mjs';

const SERVICE = 'src/modules/tasks/tasks.service.ts';
const ENTITIES = [
  { path: 'src/modules/tasks/task.entity.ts', text: `@Entity('tasks') class Task {}` },
  { path: 'src/modules/users/user.entity.ts', text: `@Entity({ name: 'users' }) class User {}` },
];
const service = (text: string) => [{ path: SERVICE, text }];

describe('the rule that SQL belongs in repositories, views and lists', () => {
  it.each([
    ['a query', `db.query('SELECT 1 FROM tasks');`],
    ['a query over several lines', 'db.query(`\n  SELECT id\n  FROM tasks`);'],
    ['a query within a template', 'const where = `x IN (${any(`SELECT id FROM tasks`)})`;'],
    ['an insertion', 'db.query(`INSERT INTO tasks (id) VALUES ($1)`);'],
    ['an update', `db.query('UPDATE tasks t SET title = $1');`],
    ['an update of an interpolated table', 'db.query(`UPDATE ${table} SET title = $1`);'],
    ['a deletion', `db.query('DELETE FROM tasks');`],
    ['a savepoint', `db.query('ROLLBACK TO SAVEPOINT attempt');`],
  ])('fails for %s in a service', (_, text) => {
    expect(sqlViolations(service(text))).toEqual([
      `${SERVICE} holds SQL; move it to the repository, view or list of its feature`,
    ]);
  });

  it.each([
    ['a comment', '/** Runs SELECT id FROM tasks. */ // DELETE FROM tasks'],
    ['prose', `const message = 'Select one from the list, then update it.';`],
    ['an identifier that is an SQL keyword', `const method = 'DELETE'; const SELECT = 1;`],
  ])('ignores %s', (_, text) => {
    expect(sqlViolations(service(text))).toEqual([]);
  });

  it.each(['tasks.repository', 'task.view', 'task.list', 'task.entity', 'task.containment'])(
    'allows it in %s.ts',
    (name) => {
      expect(sqlViolations([{ path: `src/modules/tasks/${name}.ts`, text: `'SELECT 1 FROM tasks'` }])).toEqual([]);
    },
  );
});

describe('the rule that a feature names only its own tables', () => {
  const path = 'src/modules/tasks/tasks.repository.ts';
  const reading = (sql: string) => [...ENTITIES, { path, text: `db.query(\`${sql}\`);` }];

  it.each([
    'SELECT 1 FROM users',
    'LEFT JOIN users u ON true',
    'UPDATE users SET name = $1',
    'INSERT INTO users (id)',
    'SELECT 1 FROM tasks t, users u',
  ])('fails for %s in another feature', (sql) => {
    expect(sqlViolations(reading(sql))).toEqual([
      `${path}: the table users belongs to users; call its repository or read a view`,
    ]);
  });

  it('allows its own tables and those that no feature owns', () => {
    expect(sqlViolations(reading('SELECT 1 FROM tasks JOIN entities USING (id)'))).toEqual([]);
  });
});

it('knows the table of every entity of the features', () => {
  const entities = readFeatures('.').filter(({ text }) => /@Entity\(/.test(text));
  expect(entities.length).toBeGreaterThan(20);
  for (const { path, text } of entities) {
    const [feature] = path.slice('src/modules/'.length).split('/');
    const table = /@Entity\((?:\{ name: )?'(\w+)'/.exec(text)?.[1];
    const elsewhere = { path: 'src/modules/elsewhere/x.repository.ts', text: `'SELECT 1 FROM ${table}'` };
    expect(sqlViolations([{ path, text }, elsewhere]).join()).toContain(`the table ${table} belongs to ${feature}`);
  }
});
