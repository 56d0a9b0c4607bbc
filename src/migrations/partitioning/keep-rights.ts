/**
 * SQL: gives the table `to` the rights of the table `from`, and no others. The defaults for new tables would let the role
 * of the service change the audit until the next grant (service-role.ts).
 */
export const keepRights = (from: string, to: string): string => `DO $$ DECLARE one record; BEGIN
  FOR one IN SELECT DISTINCT a.grantee::regrole AS role FROM pg_class c, aclexplode(c.relacl) a
    WHERE c.oid = '${to}'::regclass AND a.grantee NOT IN (0, c.relowner)
  LOOP EXECUTE format('REVOKE ALL ON ${to} FROM %s', one.role); END LOOP;
  FOR one IN SELECT a.grantee::regrole AS role, a.privilege_type AS privilege FROM pg_class c, aclexplode(c.relacl) a
    WHERE c.oid = '${from}'::regclass AND a.grantee NOT IN (0, c.relowner)
  LOOP EXECUTE format('GRANT %s ON ${to} TO %s', one.privilege, one.role); END LOOP;
END $$`;
