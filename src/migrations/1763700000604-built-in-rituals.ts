import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BUILT_IN_AT, builtInId, placeBuiltIn } from './seeds/built-in.js';
import { BUILT_IN_RITUALS } from './seeds/ritual-prompts.js';

/** Inserts the built-in rituals, which users fork into their endeavours. */
export class BuiltInRituals1763700000604 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [index, { name, description, prompt, schedule }] of BUILT_IN_RITUALS.entries()) {
      const id = builtInId('rtl', index + 1);
      await placeBuiltIn(runner, id, 'ritual', name);
      await runner.query(
        `INSERT INTO rituals (id, lineage_id, origin, name, description, prompt, schedule, created_at, updated_at)
         VALUES ($1, $1, 'template', $2, $3, $4, $5, ${BUILT_IN_AT}, ${BUILT_IN_AT})`,
        [id, name, description, prompt, JSON.stringify(schedule)],
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM rituals WHERE origin = 'template'");
    await runner.query(
      "DELETE FROM entities WHERE kind = 'ritual' AND is_global AND id LIKE 'rtl_00000000000070008000%'",
    );
  }
}
