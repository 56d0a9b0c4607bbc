import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Definition of Done policies and their versions, the policy of each endeavour, endorsements, and the built-in
 * policies.
 */
export class DodPolicies1763700000700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE dod_policies (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        version integer NOT NULL DEFAULT 1,
        predecessor_id text,
        lineage_id text NOT NULL,
        origin text NOT NULL DEFAULT 'custom',
        name text NOT NULL,
        description text,
        conditions jsonb NOT NULL,
        strictness text NOT NULL DEFAULT 'all',
        quorum integer,
        scope text NOT NULL DEFAULT 'task',
        organization_id text,
        status text NOT NULL DEFAULT 'active',
        metadata jsonb NOT NULL DEFAULT '{}',
        created_by text,
        CONSTRAINT dod_policies_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT dod_policies_conditions_check CHECK (jsonb_typeof(conditions) = 'array' AND jsonb_array_length(conditions) BETWEEN 1 AND 50),
        CONSTRAINT dod_policies_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
        CONSTRAINT dod_policies_version_check CHECK (version > 0),
        CONSTRAINT dod_policies_created_by_check CHECK ((origin = 'template') = (created_by IS NULL)),
        CONSTRAINT dod_policies_origin_check CHECK (origin IN ('template', 'custom', 'fork')),
        CONSTRAINT dod_policies_scope_check CHECK (scope IN ('task')),
        CONSTRAINT dod_policies_quorum_check CHECK ((strictness = 'n_of') = (quorum IS NOT NULL) AND quorum > 0),
        CONSTRAINT dod_policies_strictness_check CHECK (strictness IN ('all', 'n_of')),
        CONSTRAINT dod_policies_status_check CHECK (status IN ('active', 'archived')),
        CONSTRAINT dod_policies_pkey PRIMARY KEY (id)
      )`,
      `CREATE TABLE dod_endorsements (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        policy_id text NOT NULL,
        policy_version integer NOT NULL,
        resource_id text NOT NULL,
        endeavour_id text NOT NULL,
        status text NOT NULL DEFAULT 'active',
        superseded_at timestamptz(3),
        CONSTRAINT dod_endorsements_superseded_at_check CHECK ((status = 'superseded') = (superseded_at IS NOT NULL)),
        CONSTRAINT dod_endorsements_status_check CHECK (status IN ('active', 'superseded', 'withdrawn')),
        CONSTRAINT dod_endorsements_pkey PRIMARY KEY (id)
      )`,
      `CREATE INDEX dod_policies_created_at_id_idx ON dod_policies (created_at, id)`,
      `CREATE INDEX dod_policies_lineage_id_version_idx ON dod_policies (lineage_id, version)`,
      `CREATE INDEX dod_policies_organization_id_created_at_id_idx ON dod_policies (organization_id, created_at, id)`,
      `CREATE UNIQUE INDEX dod_policies_predecessor_id_idx ON dod_policies (predecessor_id) WHERE origin = 'custom'`,
      `CREATE INDEX dod_policies_name_trigram_idx ON dod_policies USING gin (name gin_trgm_ops)`,
      `CREATE INDEX dod_policies_description_trigram_idx ON dod_policies USING gin (description gin_trgm_ops)`,
      `CREATE INDEX dod_endorsements_resource_id_created_at_id_idx ON dod_endorsements (resource_id, created_at, id)`,
      `CREATE INDEX dod_endorsements_policy_id_status_idx ON dod_endorsements (policy_id, status)`,
      `CREATE INDEX dod_endorsements_endeavour_id_created_at_id_idx ON dod_endorsements (endeavour_id, created_at, id)`,
      `CREATE UNIQUE INDEX dod_endorsements_endeavour_id_resource_id_idx ON dod_endorsements (endeavour_id, resource_id) WHERE status = 'active'`,
      `CREATE INDEX endeavours_dod_policy_id_idx ON endeavours (dod_policy_id)`,
      `ALTER TABLE dod_policies ADD CONSTRAINT dod_policies_id_fkey FOREIGN KEY (id) REFERENCES entities(id)`,
      `ALTER TABLE dod_policies ADD CONSTRAINT dod_policies_predecessor_id_fkey FOREIGN KEY (predecessor_id) REFERENCES dod_policies(id)`,
      `ALTER TABLE dod_policies ADD CONSTRAINT dod_policies_lineage_id_fkey FOREIGN KEY (lineage_id) REFERENCES dod_policies(id)`,
      `ALTER TABLE dod_policies ADD CONSTRAINT dod_policies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)`,
      `ALTER TABLE dod_policies ADD CONSTRAINT dod_policies_created_by_fkey FOREIGN KEY (created_by) REFERENCES resources(id)`,
      `ALTER TABLE dod_endorsements ADD CONSTRAINT dod_endorsements_id_fkey FOREIGN KEY (id) REFERENCES entities(id)`,
      `ALTER TABLE dod_endorsements ADD CONSTRAINT dod_endorsements_policy_id_fkey FOREIGN KEY (policy_id) REFERENCES dod_policies(id)`,
      `ALTER TABLE dod_endorsements ADD CONSTRAINT dod_endorsements_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resources(id)`,
      `ALTER TABLE dod_endorsements ADD CONSTRAINT dod_endorsements_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id)`,
      `ALTER TABLE endeavours ADD CONSTRAINT endeavours_dod_policy_id_fkey FOREIGN KEY (dod_policy_id) REFERENCES dod_policies(id)`,
      `CREATE FUNCTION keep_policy() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF (NEW.conditions, NEW.strictness, NEW.quorum, NEW.scope, NEW.version, NEW.predecessor_id, NEW.lineage_id, NEW.origin)
            IS DISTINCT FROM
            (OLD.conditions, OLD.strictness, OLD.quorum, OLD.scope, OLD.version, OLD.predecessor_id, OLD.lineage_id, OLD.origin)
         THEN RAISE EXCEPTION 'what a policy asks for changes with a new version only'; END IF;
         RETURN NEW;
       END $$`,
      `CREATE TRIGGER dod_policies_keep BEFORE UPDATE ON dod_policies FOR EACH ROW EXECUTE FUNCTION keep_policy()`,
      ...BUILT_IN.flatMap(seed),
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE endeavours DROP CONSTRAINT endeavours_dod_policy_id_fkey`,
      `DROP INDEX endeavours_dod_policy_id_idx`,
      `DROP TABLE dod_endorsements, dod_policies CASCADE`,
      `DROP FUNCTION keep_policy`,
      `DELETE FROM entities WHERE id IN (${BUILT_IN.map(({ id }) => `'${id}'`).join(', ')})`,
    ]) {
      await runner.query(statement);
    }
  }
}

interface BuiltIn {
  id: string;
  name: string;
  description: string;
  /** Type, label and parameters; the type is also the id. */
  conditions: [type: string, label: string, params: object][];
}

const PEER_REVIEW = (min_reviewers: number): BuiltIn['conditions'][number] => [
  'peer_review',
  'Peer review',
  { min_reviewers, exclude_author: true },
];
const COMMENT: BuiltIn['conditions'][number] = ['comment_required', 'Comment', { min_comments: 1 }];
const CHECKLIST: BuiltIn['conditions'][number] = ['checklist_complete', 'Checklist', {}];
const TESTS: BuiltIn['conditions'][number] = ['tests_pass', 'Tests pass', { artifact_tag: 'test-report' }];

const BUILT_IN: BuiltIn[] = [
  {
    id: 'dod_01942f3e4c0070008000000000000001',
    name: 'Minimal',
    description: 'Somebody says that it is done.',
    conditions: [['manual_attestation', 'Attestation', { prompt: 'Is everything done that the task asks for?' }]],
  },
  {
    id: 'dod_01942f3e4c0070008000000000000002',
    name: 'Peer Reviewed',
    description: 'Somebody else has looked at it, and there is a word about it.',
    conditions: [PEER_REVIEW(1), COMMENT],
  },
  {
    id: 'dod_01942f3e4c0070008000000000000003',
    name: 'Full Governance',
    description: 'Two reviews, every item checked, tests passed, signed off by the product owner, and discussed.',
    conditions: [
      PEER_REVIEW(2),
      CHECKLIST,
      TESTS,
      ['stakeholder_sign_off', 'Sign-off of the product owner', { role: 'product_owner' }],
      COMMENT,
    ],
  },
  {
    id: 'dod_01942f3e4c0070008000000000000004',
    name: 'Agent Autonomous',
    description: 'What an agent can prove by itself: tests passed, a summary of the result, every item checked.',
    conditions: [TESTS, ['field_populated', 'Summary of the result', { field: 'result_summary' }], CHECKLIST],
  },
];

function seed({ id, name, description, conditions }: BuiltIn): string[] {
  const stored = conditions.map(([type, label, params]) => ({ id: type, type, label, params, required: true }));
  return [
    `INSERT INTO entities (id, kind, is_global, title) VALUES ('${id}', 'dod_policy', true, '${name}')`,
    `INSERT INTO dod_policies (id, lineage_id, origin, name, description, conditions)
     VALUES ('${id}', '${id}', 'template', '${name}', '${description}', '${JSON.stringify(stored)}')`,
  ];
}
