import { Injectable } from '@nestjs/common';
import { columnsSql, fromRow } from '../../platform/database/columns/columns.js';
import { Database } from '../../platform/database/database.js';
import { Domain } from './domain.entity.js';

/** Reads and locks the domains of organizations. */
@Injectable()
export class DomainsRepository {
  constructor(private readonly database: Database) {}

  /** The number of domains that the organization claims. */
  async count(organizationId: string): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      'SELECT count(*)::integer AS count FROM domains WHERE organization_id = $1 AND deleted_at IS NULL',
      [organizationId],
    );
    return row?.count ?? 0;
  }

  /** The domain as the organization claims it, locked. */
  async lockClaim(organizationId: string, domain: string): Promise<Domain | undefined> {
    const row = await this.database.one(
      `SELECT ${this.columns} FROM domains dom
       WHERE dom.organization_id = $1 AND dom.domain = $2 AND dom.deleted_at IS NULL FOR NO KEY UPDATE`,
      [organizationId, domain],
    );
    return row && fromRow(this.database.source, Domain, row);
  }

  /** Waits for others who prove the same domain, of whom only the first gets it. */
  async lockDomain(domain: string): Promise<void> {
    await this.database.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`domain ${domain}`]);
  }

  /** The organization that has proved the domain. */
  async proverOf(domain: string): Promise<string | undefined> {
    const row = await this.database.one<{ organizationId: string }>(
      'SELECT organization_id AS "organizationId" FROM domains WHERE domain = $1 AND proved_at IS NOT NULL',
      [domain],
    );
    return row?.organizationId;
  }

  /** Those of the domains that the organization has proved. */
  async provedAmong(organizationId: string, domains: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ domain: string }>(
      `SELECT domain FROM domains
       WHERE organization_id = $1 AND domain = ANY($2::text[]) AND proved_at IS NOT NULL ORDER BY domain`,
      [organizationId, domains],
    );
    return rows.map(({ domain }) => domain);
  }

  /** The domains whose records are to be looked up now, the longest due first; at most `limit`. */
  due(limit: number): Promise<{ id: string; domain: string; token: string }[]> {
    return this.database.query(
      `SELECT id, domain, token FROM domains
       WHERE proved_at IS NOT NULL AND NOT is_confirmed AND check_due_at <= now() ORDER BY check_due_at, id LIMIT $1`,
      [limit],
    );
  }

  /** Locks a domain that is still due, with the name of its organization; undefined if it has been looked up meanwhile. */
  async lockDue(id: string): Promise<{ row: Domain; organizationName: string } | undefined> {
    const row = await this.database.one<Record<string, unknown> & { title: string }>(
      `SELECT ${this.columns}, home.title FROM domains dom JOIN entities home ON home.id = dom.organization_id
       WHERE dom.id = $1 AND dom.proved_at IS NOT NULL AND NOT dom.is_confirmed AND dom.check_due_at <= now()
       FOR NO KEY UPDATE OF dom`,
      [id],
    );
    return row && { row: fromRow(this.database.source, Domain, row), organizationName: row.title };
  }

  /** Sets when the record is looked up next, without a change of the domain. */
  async postpone(id: string, hours: number): Promise<void> {
    await this.database.query('UPDATE domains SET check_due_at = now() + make_interval(hours => $2) WHERE id = $1', [
      id,
      hours,
    ]);
  }

  private get columns(): string {
    return columnsSql(this.database.source, Domain, 'dom');
  }
}
