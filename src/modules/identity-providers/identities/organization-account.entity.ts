import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** An account that the provider of an organization made, for which the organization may speak. */
@Entity('organization_accounts')
@Index(['organizationId'])
export class OrganizationAccount {
  @PrimaryColumn('text')
  @ForeignKey('User')
  userId: string;

  @PrimaryColumn('text')
  @ForeignKey('Organization')
  organizationId: string;

  @TimestampColumn({ default: () => 'now()' })
  createdAt: Date;
}
