import { stepsBesideWriters } from '../../scripts/migration-steps.js';

describe('a generated migration', () => {
  it('reads the rows of existing tables in a second step, beside writers', () => {
    const check = 'ALTER TABLE tasks ADD CONSTRAINT tasks_size_check CHECK (size > 0)';
    const key = 'ALTER TABLE tasks ADD CONSTRAINT tasks_room_id_fkey FOREIGN KEY (room_id) REFERENCES rooms(id)';
    const up = ['ALTER TABLE tasks ADD size integer', check, key, 'CREATE INDEX tasks_size_idx ON tasks (size)'];
    const down = ['DROP INDEX tasks_size_idx', 'ALTER TABLE tasks DROP CONSTRAINT tasks_size_check'];
    expect(stepsBesideWriters({ up, down })).toEqual({
      first: { up: [up[0], `${check} NOT VALID`, `${key} NOT VALID`], down: [down[1]] },
      second: {
        up: [
          'ALTER TABLE tasks VALIDATE CONSTRAINT tasks_size_check',
          'ALTER TABLE tasks VALIDATE CONSTRAINT tasks_room_id_fkey',
          'DROP INDEX IF EXISTS tasks_size_idx',
          'CREATE INDEX CONCURRENTLY tasks_size_idx ON tasks (size)',
        ],
        down: [down[0]],
      },
    });
  });

  it('builds unique indexes beside writers, too', () => {
    const up = ['CREATE UNIQUE INDEX tasks_size_idx ON tasks (size)'];
    expect(stepsBesideWriters({ up, down: [] }).second?.up).toEqual([
      'DROP INDEX IF EXISTS tasks_size_idx',
      'CREATE UNIQUE INDEX CONCURRENTLY tasks_size_idx ON tasks (size)',
    ]);
  });

  it('is one for new tables, which have no rows', () => {
    const up = [
      'CREATE TABLE rooms (id text NOT NULL)',
      'CREATE INDEX rooms_size_idx ON rooms (size)',
      'ALTER TABLE rooms ADD CONSTRAINT rooms_size_check CHECK (size > 0)',
    ];
    expect(stepsBesideWriters({ up, down: ['DROP TABLE rooms'] })).toEqual({
      first: { up, down: ['DROP TABLE rooms'] },
    });
  });
});
