import type { MigrationInterface, QueryRunner } from 'typeorm';

const [MINIMAL, PEER_REVIEWED] = ['dod_01942f3e4c0070008000000000000001', 'dod_01942f3e4c0070008000000000000002'];

/** Rewrites the descriptions of two built-in policies. Policies are otherwise never changed, which a trigger enforces. */
export class PolicyDescriptions1763700002540 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return setDescriptions(runner, {
      [MINIMAL]: 'A person or agent attests that the task is done.',
      [PEER_REVIEWED]: 'One reviewer other than the author approves the task, and it has a comment.',
    });
  }

  down(runner: QueryRunner): Promise<void> {
    return setDescriptions(runner, {
      [MINIMAL]: 'Somebody says that it is done.',
      [PEER_REVIEWED]: 'Somebody else has looked at it, and there is a word about it.',
    });
  }
}

async function setDescriptions(runner: QueryRunner, descriptions: Record<string, string>): Promise<void> {
  await runner.query('ALTER TABLE dod_policies DISABLE TRIGGER dod_policies_keep');
  for (const [id, description] of Object.entries(descriptions)) {
    await runner.query('UPDATE dod_policies SET description = $2 WHERE id = $1', [id, description]);
  }
  await runner.query('ALTER TABLE dod_policies ENABLE TRIGGER dod_policies_keep');
}
