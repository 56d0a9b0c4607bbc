import { AuditChain, INITIAL_HASH, ENTRY_TEXT } from './audit-chain.js';

/** Sends one statement with `$1`-style parameters. */
export type RunQuery = <R>(sql: string, parameters?: unknown[]) => Promise<R[]>;

/** The result of a verification. */
export interface AuditFindings {
  /** The detected faults, each as a sentence; empty if the chain is intact. */
  faults: string[];
  sealed: number;
  /** Entries that have waited for their seal for more than a minute. */
  overdue: number;
  position: number;
  hash: string;
}

interface Checkpoint {
  position: string;
  hash: string;
  dropped: string;
  before: Date;
  signature: string;
}

/** A seal with its entry and the origin of the entry. */
interface SealedEntry {
  position: string;
  entryId: string;
  hash: string;
  text: string | null;
  origin: string | null;
  isKnown: boolean;
  address: string | null;
  userAgent: string | null;
  email: string | null;
}

const BATCH_SIZE = 1_000;

/** The ids are named twice, because a look-up of each one would choose among the partitions each time. */
const AMONG = '= ANY(ARRAY(SELECT entry_id FROM s))';

const PAGE = `
  WITH s AS MATERIALIZED (
    SELECT position, entry_id, hash FROM audit_seals WHERE position > $1 ORDER BY position LIMIT ${BATCH_SIZE})
  SELECT s.position, s.entry_id AS "entryId", s.hash, CASE WHEN e.id IS NOT NULL THEN ${ENTRY_TEXT} END AS text, e.origin,
    o.entry_id IS NOT NULL AS "isKnown", o.address, o.user_agent AS "userAgent", o.email
  FROM s LEFT JOIN audit_entries e ON e.id = s.entry_id AND e.id ${AMONG}
    LEFT JOIN audit_origins o ON o.entry_id = e.id AND o.entry_id ${AMONG}
  ORDER BY s.position`;

/**
 * Reads the whole audit and finds entries that were changed, removed or inserted by anything but the service; needs the
 * keys of the service.
 */
export class AuditVerification {
  private readonly faults: string[] = [];
  private position = 0;
  private hash = INITIAL_HASH;
  private sealed = 0;

  constructor(
    private readonly query: RunQuery,
    private readonly chain: AuditChain,
  ) {}

  async run(): Promise<AuditFindings> {
    for (const checkpoint of await this.checkpoints()) this.verifyCheckpoint(checkpoint);
    for (;;) {
      const page = await this.query<SealedEntry>(PAGE, [this.position]);
      for (const seal of page) this.verifySeal(seal);
      if (page.length < BATCH_SIZE) break;
    }
    await this.findForeignEntries();
    const { faults, sealed, position, hash } = this;
    return { faults, sealed, position, hash, overdue: await this.overdue() };
  }

  private checkpoints(): Promise<Checkpoint[]> {
    return this.query('SELECT position, hash, dropped, before, signature FROM audit_checkpoints ORDER BY position');
  }

  private verifyCheckpoint({ position, hash, dropped, before, signature }: Checkpoint): void {
    const at = Number(position);
    if (signature !== this.chain.sign(at, hash, before)) {
      this.faults.push(`The checkpoint at position ${at} has an invalid signature.`);
    } else if (at - this.position !== Number(dropped)) {
      this.faults.push(`A checkpoint before position ${at} is missing.`);
    }
    [this.position, this.hash] = [at, hash];
  }

  private verifySeal(seal: SealedEntry): void {
    const at = Number(seal.position);
    const isNext = at === this.position + 1;
    if (!isNext) this.faults.push(`The seals from position ${this.position + 1} to ${at - 1} are missing.`);
    if (seal.text === null) this.faults.push(`Entry ${seal.entryId}, sealed at position ${at}, is missing.`);
    else if (isNext && seal.hash !== this.chain.seal(this.hash, at, seal.text)) {
      this.faults.push(`Entry ${seal.entryId} at position ${at}, or its seal, was changed.`);
    }
    if (seal.isKnown && seal.origin !== this.chain.origin(seal.address, seal.userAgent, seal.email)) {
      this.faults.push(`The address, user agent or e-mail of entry ${seal.entryId} was changed.`);
    }
    [this.position, this.hash] = [at, seal.hash];
    this.sealed += 1;
  }

  /** Finds entries without a seal that are not marked as unsealed, so that the service did not write them. */
  private async findForeignEntries(): Promise<void> {
    const foreign = await this.query<{ id: string }>(
      `SELECT e.id FROM audit_entries e
       WHERE NOT EXISTS (SELECT 1 FROM audit_seals s WHERE s.entry_id = e.id)
         AND NOT EXISTS (SELECT 1 FROM audit_unsealed u WHERE u.entry_id = e.id)
       ORDER BY e.id LIMIT ${BATCH_SIZE}`,
    );
    for (const { id } of foreign) this.faults.push(`Entry ${id} has no seal and was not written by this service.`);
  }

  private async overdue(): Promise<number> {
    const [row] = await this.query<{ overdue: number }>(
      `SELECT count(*)::integer AS overdue FROM audit_unsealed u JOIN audit_entries e ON e.id = u.entry_id
       WHERE e.occurred_at < now() - interval '1 minute'`,
    );
    return row.overdue;
  }
}
