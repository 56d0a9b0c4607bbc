import type { DatabaseObjects } from '../../../platform/database/schema/database-objects.js';

/** What keeps deliveries until they may go. */
export const WEBHOOK_DELIVERY_OBJECTS: DatabaseObjects = {
  functions: [
    /** Leaves a row in its table. */
    `CREATE FUNCTION keep_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`,
  ],
  triggers: [
    /**
     * A delivery that has not ended, or is younger than 30 days, is deleted only with its webhook. Releases before the
     * partitions identify what they delete by its place in the table, which several partitions have.
     */
    `CREATE TRIGGER webhook_deliveries_keep BEFORE DELETE ON webhook_deliveries FOR EACH ROW
      WHEN ((OLD.status = 'pending' OR OLD.id >= first_id_of('whd', now() - interval '30 days'))
        AND current_setting('worksmith.erasing', true) IS DISTINCT FROM 'on')
      EXECUTE FUNCTION keep_row()`,
  ],
};
