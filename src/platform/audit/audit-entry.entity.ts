import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../database/columns/timestamp-column.js';

/** One security-relevant action, or the refusals of one kind within a minute. Contains only ids and never changes. */
@Entity('audit_entries')
@Index(['occurredAt', 'id'])
@Index(['organizationId', 'occurredAt'])
@Index(['formerOrganizationId', 'occurredAt'], { where: 'former_organization_id IS NOT NULL' })
@Index(['userId', 'occurredAt'])
@Index(['actorId', 'occurredAt'])
@Index(['entityId', 'occurredAt'])
export class AuditEntry {
  @PrimaryColumn('text')
  id: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  occurredAt: Date;

  @Column('text')
  action: string;

  /** The acting resource; null if the service itself acted, or the client did not prove an identity. */
  @Column('text', { nullable: true })
  actorId: string | null;

  /** The user whose account or role it concerns. */
  @Column('text', { nullable: true })
  userId: string | null;

  @Column('text', { nullable: true })
  entityType: string | null;

  @Column('text', { nullable: true })
  entityId: string | null;

  @Column('text', { nullable: true })
  endeavourId: string | null;

  /** The organization of the act, or the home of the endeavour at that time. */
  @Column('text', { nullable: true })
  organizationId: string | null;

  /** The home organization before the act, or the home of an endeavour that is shared. Its owners see the entry too. */
  @Column('text', { nullable: true })
  formerOrganizationId: string | null;

  @Column('text', { nullable: true })
  sessionId: string | null;

  @Column('text', { nullable: true })
  tokenId: string | null;

  @Column('text', { nullable: true })
  requestId: string | null;

  /** For a refusal: the method and route of the request. */
  @Column('text', { nullable: true })
  operation: string | null;

  /** For a refusal: its code, and its reason if any. */
  @Column('text', { nullable: true })
  code: string | null;

  @Column('text', { nullable: true })
  reason: string | null;

  @Column('integer', { default: 1 })
  count: number;

  @Column('jsonb', { default: '{}' })
  details: unknown;

  /** A keyed hash of the address, user agent and e-mail in `audit_origins`, which stays when those are erased. */
  @Column('text', { nullable: true })
  origin: string | null;
}
