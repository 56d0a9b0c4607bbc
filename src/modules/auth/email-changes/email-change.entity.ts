import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** A requested change of a user's e-mail address that is not confirmed yet; a later request replaces it. */
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
