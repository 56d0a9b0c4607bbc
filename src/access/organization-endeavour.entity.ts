import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Moment } from '../platform/database/moment.js';

/** An endeavour linked to an organization, whose members thereby have a role in it. */
@Entity('organization_endeavours')
@Index(['endeavourId'])
export class OrganizationEndeavour {
  @PrimaryColumn('text')
  @ForeignKey('Organization')
  organizationId: string;

  @PrimaryColumn('text')
  @ForeignKey('Endeavour')
  endeavourId: string;

  @Moment({ default: () => 'now()' })
  linkedAt: Date;
}
