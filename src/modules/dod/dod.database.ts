import { contentTrigger } from '../../platform/database/views/approved-content.database.js';
import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';
import { insertRowEvents } from '../../platform/events/row-events.js';
import { wordsFunction, wordsTrigger } from '../../platform/listing/search/search-words.database.js';
import { endorsementView } from './endorsements/endorsement.view.js';
import { policyView } from './policies/policy.view.js';

/** Checks and results are immutable, versions of a policy too; an endorsement ends with access. */
export const DOD_OBJECTS: DatabaseObjects = {
  functions: [
    /** Refuses to change or delete a check or a result. */
    `CREATE FUNCTION keep_dod_record() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION '% are kept as they were', TG_TABLE_NAME;
      END $$`,
    /** Refuses to change what a version of a policy asks for. */
    `CREATE FUNCTION keep_policy() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (NEW.conditions, NEW.strictness, NEW.quorum, NEW.scope, NEW.version, NEW.predecessor_id, NEW.lineage_id,
          NEW.origin)
           IS DISTINCT FROM
           (OLD.conditions, OLD.strictness, OLD.quorum, OLD.scope, OLD.version, OLD.predecessor_id, OLD.lineage_id,
             OLD.origin)
        THEN RAISE EXCEPTION 'what a policy asks for changes with a new version only'; END IF;
        RETURN NEW;
      END $$`,
    /** Withdraws the active endorsements of people who no longer reach the endeavour; null means all. */
    `CREATE FUNCTION end_endorsements(endeavour text, resource text) RETURNS void LANGUAGE sql AS $$
      WITH ended AS (
        UPDATE dod_endorsements d SET status = 'withdrawn', revision = d.revision + 1, updated_at = clock_timestamp()
        WHERE d.status = 'active' AND (endeavour IS NULL OR d.endeavour_id = endeavour)
          AND (resource IS NULL OR d.resource_id = resource)
          AND NOT EXISTS (SELECT 1 FROM endeavour_grants g JOIN users u ON u.id = g.user_id
            WHERE g.endeavour_id = d.endeavour_id AND u.resource_id = d.resource_id)
        RETURNING d.*)
      ${insertRowEvents({
        view: endorsementView,
        act: 'withdrawn',
        rows: 'ended',
        changed: 'status',
        previous: `'{"status": "active"}'`,
        endeavour: 'd.endeavour_id',
      })} $$`,
    /** A membership or a link that ends may end endorsements. */
    `CREATE FUNCTION leave_endorsements() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        CASE TG_TABLE_NAME
          WHEN 'endeavour_members' THEN PERFORM end_endorsements(OLD.endeavour_id, OLD.resource_id);
          WHEN 'organization_resources' THEN PERFORM end_endorsements(NULL, OLD.resource_id);
          ELSE PERFORM end_endorsements(OLD.endeavour_id, NULL);
        END CASE;
        RETURN NULL;
      END $$`,
    wordsFunction(policyView),
  ],
  triggers: [
    contentTrigger(policyView),
    `CREATE TRIGGER dod_checks_keep BEFORE UPDATE OR DELETE ON dod_checks FOR EACH ROW
      WHEN (current_setting('worksmith.erasing', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION keep_dod_record()`,
    `CREATE TRIGGER dod_policies_keep BEFORE UPDATE ON dod_policies FOR EACH ROW
      WHEN (current_setting('worksmith.erasing', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION keep_policy()`,
    wordsTrigger(policyView),
    `CREATE TRIGGER dod_results_keep BEFORE UPDATE OR DELETE ON dod_results FOR EACH ROW
      WHEN (current_setting('worksmith.erasing', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION keep_dod_record()`,
    `CREATE TRIGGER endeavour_members_leave_endorsements AFTER UPDATE OR DELETE ON endeavour_members
      FOR EACH ROW EXECUTE FUNCTION leave_endorsements()`,
    `CREATE TRIGGER organization_endeavours_leave_endorsements AFTER UPDATE OR DELETE ON organization_endeavours
      FOR EACH ROW EXECUTE FUNCTION leave_endorsements()`,
    `CREATE TRIGGER organization_resources_leave_endorsements AFTER UPDATE OR DELETE ON organization_resources
      FOR EACH ROW EXECUTE FUNCTION leave_endorsements()`,
  ],
};
