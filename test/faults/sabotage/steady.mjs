/**
 * A test of each file that passes beside the defects that its file is to catch: it proves that the program still works
 * but for the defect.
 */
const STEADY = {
  'test/access/staleness.deep.spec.ts': 'end with their removal, at the next request',
  'test/areas/approvals.spec.ts': 'cannot be changed or deleted, not even in the database',
  'test/areas/bulk-work.spec.ts': 'waits for no lock and takes none where it only previews',
  'test/areas/archive.spec.ts': 'is not reached by completing',
  'test/areas/artifacts.spec.ts': 'takes it to another task of the same endeavour',
  'test/areas/auth.spec.ts': 'names all faults of a body at once',
  'test/areas/comments.spec.ts': 'have one level, and stay on one entity',
  'test/areas/demands.spec.ts': 'names every fault at once',
  'test/areas/dod-conditions.spec.ts': 'count living comments on the task',
  'test/areas/dod-gate.spec.ts': 'needs nothing where no policy is assigned',
  'test/areas/dod-versions.spec.ts': 'of something absent do not exist',
  'test/areas/endeavours.spec.ts': 'refuse what makes no sense, all at once',
  'test/areas/operations.spec.ts': 'are repeated under their key without being started again',
  'test/areas/erasing.spec.ts': 'of an endeavour leaves only one event that records it',
  'test/areas/export.spec.ts': 'needs the owner role, and includes archived containers',
  'test/areas/invitations.spec.ts': 'needs the right to grant the role',
  'test/areas/limits.spec.ts': 'outlive a rotation of the signing key',
  'test/areas/lineage.spec.ts': 'initially contains only the entity itself',
  'test/areas/members.spec.ts': 'take stakeholder roles, which null clears',
  'test/areas/messages.spec.ts': 'names every fault at once',
  'test/areas/relations.spec.ts': 'names every fault at once',
  'test/areas/resources.spec.ts': 'names every fault at once',
  'test/areas/ritual-runs-scheduled.spec.ts': 'fail with a timeout when they are not finished within a day',
  'test/areas/tasks.spec.ts': 'is canceled with a reason only, and forgets it when planned again',
  'test/areas/templates.spec.ts': 'names every fault at once',
  'test/areas/tiers.spec.ts': 'cost nothing where there are none',
  'test/areas/users.spec.ts': 'mails a code to users without a password',
  'test/attacks/forged-tokens.spec.ts': 'would be taken if it were not forged',
  'test/platform/backup.deep.spec.ts': 'does not touch a folder that is not empty, and creates none without a database',
  'test/platform/http.spec.ts': 'takes over a request id that is fit to be one',
  'test/platform/jobs.spec.ts': 'throws away old keys, mails and sessions',
  'test/platform/mail.spec.ts': 'contain whole mails that only the service can read, and the log has their codes',
  'test/platform/main.deep.spec.ts': 'are read from .env',
  'test/platform/read-line.spec.ts': 'that share a connection get each its own answer',
  'test/platform/silence.spec.ts': 'that fails with EPIPE counts as unavailable',
  'test/platform/shutdown.deep.spec.ts': 'closes what was opened, the last first',
  'test/platform/transactions.spec.ts': 'rolls back what was written before an error',
  'test/platform/unreadable.spec.ts': 'may say that it is none',
};

/** For files of which every test may fail. */
const ANYWHERE = 'test/areas/limits.spec.ts';

/** Which files to run for a defect, and of them which tests: the one that is to fail, and one that is not. */
export function plan({ caughtBy, test }) {
  if (test === undefined) return { files: [caughtBy] };
  const file = caughtBy in STEADY ? caughtBy : ANYWHERE;
  return { files: [...new Set([caughtBy, file])], tests: [test, STEADY[file]] };
}
