/**
 * For each test file, a test that passes despite the defects that the file catches: it proves that the program
 * otherwise works.
 */
const STEADY = {
  'test/access/staleness.deep.spec.ts': 'end with their removal, at the next request',
  'test/areas/approvals.spec.ts': 'cannot be changed or deleted, not even in the database',
  'test/areas/bulk-work.spec.ts': 'as a dry run neither waits for locks nor takes any',
  'test/areas/agents.spec.ts': 'is shown as acting for its manager',
  'test/areas/archive.spec.ts': 'is not the same as completion',
  'test/areas/artifacts.spec.ts': 'assigns it to a task of the same endeavour',
  'test/areas/auth.spec.ts': 'returns all field errors at once',
  'test/areas/comments.spec.ts': 'have one level, and stay on one entity',
  'test/areas/demands.spec.ts': 'returns all field errors at once',
  'test/areas/dod-conditions.spec.ts': 'count comments on the task that are not deleted',
  'test/areas/dod-gate.spec.ts': 'requires nothing if no policy is assigned',
  'test/areas/dod-rounds.spec.ts': 'keeps no result when it was done without a policy',
  'test/areas/dod-versions.spec.ts': 'of an absent policy are not found',
  'test/areas/endeavours.spec.ts': 'reject invalid fields and report all of them at once',
  'test/areas/operations.spec.ts': 'are returned again for the same idempotency key, without being started again',
  'test/areas/erasing.spec.ts': 'an endeavour leaves only one event, which records the deletion',
  'test/areas/export.spec.ts': 'requires the owner role, and includes archived containers',
  'test/areas/invitations.spec.ts': 'requires the right to grant the role',
  'test/areas/limits.spec.ts': 'survive a rotation of the signing key',
  'test/areas/lineage.spec.ts': 'initially contains only the entity itself',
  'test/areas/members.spec.ts': 'have stakeholder roles, which null clears',
  'test/areas/messages.spec.ts': 'returns all field errors at once',
  'test/areas/relations.spec.ts': 'returns all field errors at once',
  'test/areas/resources.spec.ts': 'returns all field errors at once',
  'test/areas/ritual-runs-scheduled.spec.ts': 'fail with a timeout when they are not finished within a day',
  'test/areas/tasks.spec.ts': 'requires a reason to cancel, and clears it when planned again',
  'test/areas/templates.spec.ts': 'returns all field errors at once',
  'test/areas/tiers.spec.ts': 'need no query if there are none',
  'test/areas/users.spec.ts': 'mails a code to users without a password',
  'test/attacks/forged-tokens.spec.ts': 'would be taken if it were not forged',
  'test/platform/browser-consent.deep.spec.ts': 'has a browser, or says that it is missing and fails in CI',
  'test/platform/browser-sign-in.deep.spec.ts': 'has a browser, or says that it is missing and fails in CI',
  'test/platform/backup.deep.spec.ts':
    'is rejected for a folder that is not empty, and creates no folder if there is no database',
  'test/platform/http.spec.ts': 'contain the request id of the client if it is valid',
  'test/platform/jobs.spec.ts': 'deletes only old keys, mails and sessions',
  'test/platform/mail.spec.ts': 'contain complete mails that only the service can read, and the log has their codes',
  'test/platform/main.deep.spec.ts': 'are read from .env',
  'test/platform/production-path.deep.spec.ts': 'has the programs that it needs',
  'test/platform/read-line.spec.ts': 'that share a connection each get their own response',
  'test/platform/silence.spec.ts': 'that fails with EPIPE counts as unavailable',
  'test/platform/shutdown.deep.spec.ts': 'closes everything that was opened, once and in reverse order',
  'test/platform/transactions.spec.ts': 'rolls back what was written before an error',
  'test/platform/unreadable.spec.ts': 'is accepted if its encoding is identity',
};

/** The file with such a test for files in which every test may fail. */
const ANYWHERE = 'test/areas/limits.spec.ts';

/** The files to run for a defect, and the tests in them: the one that must fail, and one that must pass. */
export function plan({ caughtBy, test }) {
  if (test === undefined) return { files: [caughtBy] };
  const file = caughtBy in STEADY ? caughtBy : ANYWHERE;
  return { files: [...new Set([caughtBy, file])], tests: [test, STEADY[file]] };
}
