import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE identity_providers ADD COLUMN groups_claim text,
     ADD COLUMN group_roles jsonb NOT NULL DEFAULT '[]',
     ADD COLUMN required boolean NOT NULL DEFAULT false,
     ADD CONSTRAINT identity_providers_groups_check CHECK (jsonb_typeof(group_roles) = 'array'),
     ADD CONSTRAINT identity_providers_of_organization_check
       CHECK (organization_id IS NOT NULL OR (groups_claim IS NULL AND group_roles = '[]' AND NOT required))`,
  `CREATE INDEX identity_providers_required_idx ON identity_providers (organization_id) WHERE required`,
];

/** Groups of identity providers, and providers that members have to use. */
export class GroupsOfProviders1763700004009 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE identity_providers DROP COLUMN groups_claim, DROP COLUMN group_roles, DROP COLUMN required',
    );
  }
}
