import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE domains (
     id text NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     updated_at timestamptz(3) NOT NULL DEFAULT now(),
     revision integer NOT NULL DEFAULT 1,
     organization_id text NOT NULL,
     domain text NOT NULL,
     token text NOT NULL,
     proved_at timestamptz(3),
     is_confirmed boolean NOT NULL DEFAULT false,
     absent_days integer NOT NULL DEFAULT 0,
     check_due_at timestamptz(3),
     deleted_at timestamptz(3),
     CONSTRAINT domains_pkey PRIMARY KEY (id),
     CONSTRAINT domains_domain_check CHECK (domain = lower(domain) AND char_length(domain) BETWEEN 3 AND 253),
     CONSTRAINT domains_confirmed_check CHECK (NOT is_confirmed OR proved_at IS NOT NULL),
     CONSTRAINT domains_absent_days_check CHECK (absent_days BETWEEN 0 AND 7),
     CONSTRAINT domains_deleted_check CHECK (deleted_at IS NULL OR proved_at IS NULL),
     CONSTRAINT domains_id_fkey FOREIGN KEY (id) REFERENCES entities(id),
     CONSTRAINT domains_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
   )`,
  `CREATE UNIQUE INDEX domains_claimed_idx ON domains (organization_id, domain) WHERE deleted_at IS NULL`,
  `CREATE UNIQUE INDEX domains_domain_taken_idx ON domains (domain) WHERE proved_at IS NOT NULL`,
  `CREATE INDEX domains_check_due_at_idx ON domains (check_due_at) WHERE proved_at IS NOT NULL AND NOT is_confirmed`,
  `WITH named AS (SELECT DISTINCT ON (own) 'dom_' || md5(idp.organization_id || own) AS id, idp.organization_id, own AS domain,
       encode(sha256(convert_to(idp.id || own || new_id('evt'), 'UTF8')), 'hex') AS token
     FROM identity_providers idp, unnest(idp.domains) own
     WHERE idp.organization_id IS NOT NULL AND idp.deleted_at IS NULL ORDER BY own, idp.created_at, idp.id),
   placed AS (INSERT INTO entities (id, kind, organization_id, title)
     SELECT id, 'domain', organization_id, domain FROM named),
   claimed AS (INSERT INTO domains (id, organization_id, domain, token, proved_at, is_confirmed)
     SELECT id, organization_id, domain, token, now(), true FROM named)
   INSERT INTO events (id, type, entity_type, entity_id, organization_id, changed, audience, data)
   SELECT new_id('evt'), 'domain.created', 'domain', id, organization_id, '{}', '{}',
     json_build_object('id', id, 'organization_id', organization_id, 'domain', domain, 'status', 'proved',
       'is_confirmed', true, 'absent_days', 0, 'revision', 1)
   FROM named`,
];

/** Domains of organizations. Those that administrators have confirmed for providers stay confirmed. */
export class Domains1763700004004 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE domains');
  }
}
