import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/timestamp-column.js';

/** That a term was found in something that was written; kept as it was then. */
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
