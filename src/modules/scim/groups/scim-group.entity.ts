import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** A group of a directory, which is a team of the organization. */
@Entity('scim_groups')
@Check('scim_groups_display_name_check', 'char_length(display_name) BETWEEN 1 AND 500')
@Index(['organizationId', 'createdAt', 'teamId'])
@Index('scim_groups_display_name_idx', { synchronize: false })
@Index(['organizationId', 'externalId'])
export class ScimGroup {
  @PrimaryColumn('text')
  @ForeignKey('Resource', { onDelete: 'CASCADE' })
  teamId: string;

  @Column('text')
  @ForeignKey('Organization')
  organizationId: string;

  @Column('text')
  displayName: string;

  @Column('text', { nullable: true })
  externalId: string | null;

  @TimestampColumn({ default: () => 'now()' })
  createdAt: Date;

  @TimestampColumn({ default: () => 'now()' })
  updatedAt: Date;

  @Column('integer', { default: 1 })
  revision: number;
}

/** Somebody whom the directory counts among a group; a member of the team while the person belongs to the organization. */
@Entity('scim_group_members')
@Index(['userId'])
export class ScimGroupMember {
  @PrimaryColumn('text')
  @ForeignKey('ScimGroup', 'teamId', { onDelete: 'CASCADE' })
  teamId: string;

  @PrimaryColumn('text')
  @ForeignKey('User')
  userId: string;
}
