import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Gives every endeavour at most one home organization; other linked organizations only share it (docs/spec 02). The
 * home of an existing endeavour is the organization linked first among those that are not archived. The log names the
 * endeavours that had several links.
 */
export class Homes1763700000810 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE endeavours ADD COLUMN organization_id text, ADD COLUMN is_private boolean NOT NULL DEFAULT false`,
      `ALTER TABLE organization_endeavours ADD COLUMN is_home boolean NOT NULL DEFAULT false,
        ADD COLUMN is_private boolean NOT NULL DEFAULT false, ADD COLUMN linked_by text`,
      `ALTER TABLE endeavour_members ADD COLUMN added_by text`,
      `ALTER TABLE organization_endeavours ADD CONSTRAINT organization_endeavours_linked_by_fkey
        FOREIGN KEY (linked_by) REFERENCES users(id)`,
      `ALTER TABLE endeavour_members ADD CONSTRAINT endeavour_members_added_by_fkey
        FOREIGN KEY (added_by) REFERENCES users(id)`,
      // If all its organizations are archived, the home is one of them, so that both can be restored together.
      `UPDATE endeavours e SET organization_id = home.organization_id
       FROM (SELECT DISTINCT ON (l.endeavour_id) l.endeavour_id, l.organization_id
             FROM organization_endeavours l JOIN organizations o ON o.id = l.organization_id
             ORDER BY l.endeavour_id, (o.status = 'archived'), l.linked_at, l.organization_id) home
       WHERE e.id = home.endeavour_id`,
      `UPDATE organization_endeavours l SET is_home = true FROM endeavours e
       WHERE e.id = l.endeavour_id AND e.organization_id = l.organization_id`,
      `DO $$
       DECLARE found record;
       BEGIN
         FOR found IN
           SELECT e.id, e.organization_id, string_agg(l.organization_id, ', ' ORDER BY l.organization_id) AS shares
           FROM endeavours e JOIN organization_endeavours l ON l.endeavour_id = e.id AND NOT l.is_home
           GROUP BY e.id ORDER BY e.id
         LOOP
           RAISE WARNING 'The home of endeavour % is %; it stays shared with %', found.id, found.organization_id, found.shares;
         END LOOP;
       END $$`,
      `CREATE INDEX endeavours_organization_id_idx ON endeavours (organization_id)`,
      `CREATE UNIQUE INDEX organization_endeavours_home_idx ON organization_endeavours (endeavour_id) WHERE is_home`,
      `ALTER TABLE endeavours ADD CONSTRAINT endeavours_organization_id_id_fkey FOREIGN KEY (organization_id, id)
        REFERENCES organization_endeavours(organization_id, endeavour_id) DEFERRABLE INITIALLY DEFERRED`,
      // Links copy the columns of the endeavour that decide which roles they grant, so that roles are read without it.
      `CREATE FUNCTION mark_link() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         SELECT e.organization_id IS NOT DISTINCT FROM NEW.organization_id, e.is_private INTO NEW.is_home, NEW.is_private
         FROM endeavours e WHERE e.id = NEW.endeavour_id FOR SHARE;
         NEW.is_home := coalesce(NEW.is_home, false);
         NEW.is_private := coalesce(NEW.is_private, false);
         RETURN NEW;
       END $$`,
      `CREATE TRIGGER organization_endeavours_mark BEFORE INSERT ON organization_endeavours
        FOR EACH ROW EXECUTE FUNCTION mark_link()`,
      `CREATE FUNCTION mark_links() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         UPDATE organization_endeavours SET is_private = NEW.is_private,
           is_home = organization_id IS NOT DISTINCT FROM NEW.organization_id
         WHERE endeavour_id = NEW.id;
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER endeavours_mark_links AFTER UPDATE OF organization_id, is_private ON endeavours FOR EACH ROW
        WHEN ((NEW.organization_id, NEW.is_private) IS DISTINCT FROM (OLD.organization_id, OLD.is_private))
        EXECUTE FUNCTION mark_links()`,
      `-- The rank of each user in each endeavour, by their own membership or by that in a linked organization.
   -- The home grants the roles of its members unchanged, other organizations at most member. In a private endeavour,
   -- organizations grant roles only to the admins and owners of the home (spec 02).
   CREATE OR REPLACE VIEW endeavour_grants AS
   SELECT user_id, endeavour_id, role_rank(role) AS rank, NULL::text AS organization_id FROM endeavour_members
   UNION ALL
   SELECT member.user_id, link.endeavour_id,
          CASE WHEN link.is_home THEN role_rank(member.role) ELSE least(role_rank(member.role), 2) END,
          link.organization_id
   FROM organization_resources member JOIN organization_endeavours link USING (organization_id)
   WHERE member.user_id IS NOT NULL
     AND (NOT link.is_private OR (link.is_home AND role_rank(member.role) >= 3))`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE OR REPLACE VIEW endeavour_grants AS
   SELECT user_id, endeavour_id, role_rank(role) AS rank, NULL::text AS organization_id FROM endeavour_members
   UNION ALL
   SELECT member.user_id, link.endeavour_id,
          CASE WHEN member.role = 'owner' AND EXISTS (
            SELECT 1 FROM organization_endeavours other
            WHERE other.endeavour_id = link.endeavour_id AND other.organization_id <> link.organization_id
          ) THEN 3 ELSE role_rank(member.role) END,
          link.organization_id
   FROM organization_resources member JOIN organization_endeavours link USING (organization_id)
   WHERE member.user_id IS NOT NULL`,
      `DROP TRIGGER endeavours_mark_links ON endeavours`,
      `DROP FUNCTION mark_links`,
      `DROP TRIGGER organization_endeavours_mark ON organization_endeavours`,
      `DROP FUNCTION mark_link`,
      `ALTER TABLE endeavours DROP COLUMN organization_id, DROP COLUMN is_private`,
      `ALTER TABLE organization_endeavours DROP COLUMN is_home, DROP COLUMN is_private, DROP COLUMN linked_by`,
      `ALTER TABLE endeavour_members DROP COLUMN added_by`,
    ]) {
      await runner.query(statement);
    }
  }
}
