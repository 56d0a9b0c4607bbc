import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BUILT_IN_AT, builtInId, placeBuiltIn } from './seeds/built-in.js';
import { BUILT_IN_RITUALS } from './seeds/ritual-prompts.js';
import { GERMAN_RITUALS } from './seeds/rituals/de.js';
import { FRENCH_RITUALS } from './seeds/rituals/fr.js';
import type { RitualText } from './seeds/rituals/ritual-text.js';
import { SPANISH_RITUALS } from './seeds/rituals/es.js';

/** By language, in the order of their ids, which follow those of the English rituals. */
const TRANSLATIONS: readonly (readonly [lang: string, texts: readonly RitualText[]])[] = [
  ['de', GERMAN_RITUALS],
  ['fr', FRENCH_RITUALS],
  ['es', SPANISH_RITUALS],
];

/** Inserts the built-in rituals in German, French and Spanish; forks of the English ones do not change. */
export class TranslatedRituals1763700000920 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    let number = BUILT_IN_RITUALS.length;
    for (const [lang, texts] of TRANSLATIONS) {
      for (const [index, { name, description, prompt }] of texts.entries()) {
        number += 1;
        const id = builtInId('rtl', number);
        const { schedule } = BUILT_IN_RITUALS[index];
        await placeBuiltIn(runner, id, 'ritual', name);
        await runner.query(
          `INSERT INTO rituals (id, lineage_id, origin, lang, name, description, prompt, schedule, created_at, updated_at)
           VALUES ($1, $1, 'template', $2, $3, $4, $5, $6, ${BUILT_IN_AT}, ${BUILT_IN_AT})`,
          [id, lang, name, description, prompt, JSON.stringify(schedule)],
        );
      }
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM rituals WHERE origin = 'template' AND lang IN ('de', 'fr', 'es')");
    await runner.query(
      `DELETE FROM entities x WHERE x.kind = 'ritual' AND x.is_global AND x.id LIKE 'rtl_00000000000070008000%'
         AND NOT EXISTS (SELECT 1 FROM rituals r WHERE r.id = x.id)`,
    );
  }
}
