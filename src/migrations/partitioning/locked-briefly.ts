/**
 * SQL: locks the tables until the end of the transaction. Writers would wait behind it for the longest reader, so it gives up after
 * 100 ms, and asks again, for up to ten minutes.
 *
 * @param locks LOCK statements, in the order in which writers lock the tables
 */
export const lockedBriefly = (...locks: string[]): string => `DO $$ BEGIN
  PERFORM set_config('lock_timeout', '100ms', true);
  FOR attempt IN 1 .. 3000 LOOP
    BEGIN
      ${locks.map((lock) => `${lock};`).join(' ')}
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      IF attempt = 3000 THEN RAISE; END IF;
      PERFORM pg_sleep(0.1);
    END;
  END LOOP;
END $$`;
