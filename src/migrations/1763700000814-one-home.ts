import type { MigrationInterface, QueryRunner } from 'typeorm';

const markLinks = (
  body: string,
): string => `CREATE OR REPLACE FUNCTION mark_links() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         ${body}
         RETURN NULL;
       END $$`;

/** Unmarks the old home before it marks the new one, because a unique index allows one home per endeavour. */
export class OneHome1763700000814 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      markLinks(`
         UPDATE organization_endeavours SET is_private = NEW.is_private, is_home = false
         WHERE endeavour_id = NEW.id AND organization_id IS DISTINCT FROM NEW.organization_id;
         UPDATE organization_endeavours SET is_private = NEW.is_private, is_home = true
         WHERE endeavour_id = NEW.id AND organization_id = NEW.organization_id;`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      markLinks(`
         UPDATE organization_endeavours SET is_private = NEW.is_private,
           is_home = organization_id IS NOT DISTINCT FROM NEW.organization_id
         WHERE endeavour_id = NEW.id;`),
    );
  }
}
