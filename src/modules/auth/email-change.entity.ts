import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/timestamp-column.js';

/** The change of address that a user asked for and has not yet confirmed; a later one takes its place. */
@Entity('email_changes')
@Index(['expiresAt'])
export class EmailChange {
  @PrimaryColumn('text')
  @ForeignKey('User')
  userId: string;

  @Column('text')
  newEmail: string;

  @TimestampColumn()
  expiresAt: Date;
}
