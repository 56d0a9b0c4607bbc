const SUITE = 'test/platform/production-path.deep.spec.ts';

/** Defects of the documented way to run the service on a PostgreSQL of one's own. */
export const seeds = [
  {
    name: 'a migration needs a superuser',
    file: 'src/migrations/baseline/functions.sql',
    find: 'LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$',
    replace: `LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET worksmith.audit_retention = 'on' AS $$`,
    caughtBy: SUITE,
    test: 'is migrated by its role, and again',
  },
  {
    name: 'the server compiles the plans of notifications',
    edits: [
      { file: 'src/platform/database/connections/session-settings.ts', find: "  jit: 'off',\n", replace: '' },
      {
        file: 'src/modules/notifications/notification-feed.repository.ts',
        find: 'SET LOCAL enable_mergejoin = off; SET LOCAL jit = off',
        replace: 'SET LOCAL enable_mergejoin = off',
      },
    ],
    caughtBy: SUITE,
    test: 'serves directly',
  },
  {
    name: 'a pooler that loses prepared statements is not noticed',
    file: 'src/platform/process/external-database.ts',
    find: "if ((await examinePooling(connection)) === 'unfit') throw new StartError(UNFIT_POOLER);",
    replace: 'void [examinePooling, UNFIT_POOLER];',
    caughtBy: SUITE,
    test: 'is not served through a PgBouncer that keeps none',
  },
  {
    name: 'the proxy refuses large files to import',
    file: 'deploy/haproxy.cfg',
    find: 'if beyond_body !import',
    replace: 'if beyond_body',
    caughtBy: SUITE,
    test: 'serves directly',
  },
  {
    name: 'a replica is not ready as soon as the schema is newer',
    file: 'src/platform/health/health.ts',
    find: 'schema !== undefined && this.isTooOld(schema) &&',
    replace: 'schema !== undefined && (this.isTooOld(schema) || schema.unknown.length > 0) &&',
    caughtBy: 'test/platform/health.spec.ts',
    test: 'is ready on the schema of a newer release',
  },
];
