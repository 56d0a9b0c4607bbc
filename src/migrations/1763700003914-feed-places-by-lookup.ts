import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Looks the entries of a moved entity up, where the whole feed was read. */
export class FeedPlacesByLookup1763700003914 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION replace_in_feed(moved text) RETURNS void LANGUAGE sql AS $$
      WITH RECURSIVE along AS (
        SELECT x.id FROM entities x WHERE x.id = moved
        UNION SELECT x.id FROM entities x JOIN along ON x.parent_id = along.id
      )
      UPDATE feed f SET place = feed_place(x, f.type, f.actor_id)
      FROM entities x
      WHERE x.id = ANY(ARRAY(SELECT id FROM along)) AND f.entity_id = x.id
        AND f.place <> feed_place(x, f.type, f.actor_id) $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION public.replace_in_feed(moved text)
 RETURNS void
 LANGUAGE sql
AS $function$
    WITH RECURSIVE along AS (
      SELECT x.id FROM entities x WHERE x.id = moved
      UNION SELECT x.id FROM entities x JOIN along ON x.parent_id = along.id
    )
    UPDATE feed f SET place = feed_place(x, f.type, f.actor_id)
    FROM along JOIN entities x USING (id)
    WHERE f.entity_id = along.id AND f.place <> feed_place(x, f.type, f.actor_id) $function$`);
  }
}
