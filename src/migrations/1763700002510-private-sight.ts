import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TELL_SIGHT, TELL_SIGHT_OF_LINK } from './1763700000960-feed.js';

const replacing = (statement: string): string => statement.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION');

const TELL_SIGHT_OF_ENDEAVOUR = `
  CREATE OR REPLACE FUNCTION tell_sight(sight text, kind text, audience_id text, endeavours text[], organizations text[])
  RETURNS void LANGUAGE sql AS $$
    INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, organization_id, data)
    SELECT new_id('evt'), 'visibility.' || sight, kind, audience_id,
      CASE WHEN kind = 'endeavour' THEN audience_id END, CASE WHEN kind = 'organization' THEN audience_id END,
      json_build_object('endeavour_ids', endeavours, 'organization_ids', organizations)
    WHERE cardinality(endeavours) + cardinality(organizations) > 0 $$`;

/**
 * A link makes an open endeavour visible to all members of the organization, and a private one only to the admins of
 * its home. An event of the organization would disclose a private endeavour to all members. Therefore an event of the
 * endeavour informs the users who now see it, and events of users inform the admins who no longer see it.
 */
const TELL_SIGHT_OF_PRIVATE_LINK = `
  CREATE OR REPLACE FUNCTION tell_sight_of_link() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    link organization_endeavours := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    endeavours text[] := ARRAY[link.endeavour_id];
    earlier text := CASE WHEN NOT OLD.is_private THEN 'members' WHEN OLD.is_home THEN 'admins' ELSE 'nobody' END;
    current text := CASE WHEN NOT NEW.is_private THEN 'members' WHEN NEW.is_home THEN 'admins' ELSE 'nobody' END;
  BEGIN
    IF current = earlier THEN
      RETURN NULL;
    END IF;
    IF current = 'members' THEN
      PERFORM tell_sight('gained', 'organization', link.organization_id, endeavours, '{}');
    ELSIF earlier = 'members' THEN
      PERFORM tell_sight('lost', 'organization', link.organization_id, endeavours, '{}');
      -- Members who see it in another way have been told that they lost it.
      IF EXISTS (SELECT 1 FROM organization_resources m JOIN endeavour_grants g ON g.user_id = m.user_id
                 WHERE m.organization_id = link.organization_id AND g.endeavour_id = link.endeavour_id) THEN
        PERFORM tell_sight('gained', 'endeavour', link.endeavour_id, endeavours, '{}');
      END IF;
    ELSIF current = 'admins' THEN
      PERFORM tell_sight('gained', 'endeavour', link.endeavour_id, endeavours, '{}');
    ELSE
      PERFORM tell_sight('lost', 'user', m.user_id, endeavours, '{}')
      FROM organization_resources m
      WHERE m.organization_id = link.organization_id AND m.user_id IS NOT NULL AND role_rank(m.role) >= 3
        AND NOT EXISTS (SELECT 1 FROM endeavour_grants g
                        WHERE g.user_id = m.user_id AND g.endeavour_id = link.endeavour_id);
    END IF;
    RETURN NULL;
  END $$`;

/**
 * Records events when users gain or lose access to private endeavours through links to organizations. When an
 * organization loses access to an endeavour, also records one for the members who still see it.
 */
export class PrivateSight1763700002510 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TELL_SIGHT_OF_ENDEAVOUR);
    await runner.query(TELL_SIGHT_OF_PRIVATE_LINK);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(replacing(TELL_SIGHT_OF_LINK));
    await runner.query(replacing(TELL_SIGHT));
  }
}
