import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** An occurrence of an alert term in a text, stored as it was at that time. */
@Entity('alerts')
@Index(['organizationId', 'createdAt', 'id'])
@Index(['entityId'])
export class Alert {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  @ForeignKey('Organization')
  organizationId: string;

  @Column('text')
  entityType: string;

  @Column('text')
  @ForeignKey('EntityRow')
  entityId: string;

  @Column('text')
  term: string;

  @Column('smallint')
  weight: number;

  @Column('text')
  excerpt: string;

  @Column('text', { nullable: true })
  @ForeignKey('Resource')
  authorId: string | null;

  @TimestampColumn({ default: () => 'now()' })
  createdAt: Date;
}
