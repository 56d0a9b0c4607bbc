import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rejects updates and deletions of events, except while erasing. */
export class ImmutableEvents1763700000844 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TRIGGER events_immutable BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER events_immutable ON events');
  }
}
