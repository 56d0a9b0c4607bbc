import type { MigrationInterface, QueryRunner } from 'typeorm';

const NEW_KINDS = ['email_assigned', 'scim_token_expiring', 'last_owner_dismissed'];

/** The kinds of mails that the database accepts by now; other features add theirs. */
async function kindsIn(runner: QueryRunner): Promise<string[]> {
  const rows = (await runner.query(
    `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = 'outbox_kind_check'`,
  )) as { definition: string }[];
  return rows.flatMap(({ definition }) => [...definition.matchAll(/'([a-z_]+)'/g)].map(([, kind]) => kind));
}

async function accept(runner: QueryRunner, kinds: readonly string[]): Promise<void> {
  await runner.query(
    `ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check,
       ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('${kinds.join("', '")}')) NOT VALID`,
  );
  await runner.query('ALTER TABLE outbox VALIDATE CONSTRAINT outbox_kind_check');
}

/** Mails about what the directory of an organization does. */
export class MailsAboutDirectories1763700004052 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await accept(runner, [...(await kindsIn(runner)), ...NEW_KINDS]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM outbox WHERE kind IN ('${NEW_KINDS.join("', '")}')`);
    const kinds = await kindsIn(runner);
    await accept(
      runner,
      kinds.filter((kind) => !NEW_KINDS.includes(kind)),
    );
  }
}
