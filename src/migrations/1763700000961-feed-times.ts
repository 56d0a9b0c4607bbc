import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the position of a time in the feed by binary search, because sequences follow the order of time. */
export class FeedTimes1763700000961 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE FUNCTION feed_sequence_before(moment timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
       DECLARE
         low bigint;
         high bigint;
         middle bigint;
         at timestamptz;
       BEGIN
         SELECT dropped, head + 1 INTO low, high FROM feed_state;
         WHILE low + 1 < high LOOP
           middle := (low + high) / 2;
           SELECT occurred_at INTO at FROM feed WHERE sequence >= middle ORDER BY sequence LIMIT 1;
           IF at < moment THEN low := middle; ELSE high := middle; END IF;
         END LOOP;
         RETURN low;
       END $$`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION feed_sequence_before');
  }
}
