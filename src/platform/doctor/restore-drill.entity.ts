import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../database/columns/timestamp-column.js';

/** A backup that `npm run restore -- --verify` restored and found to be intact. */
@Entity('restore_drills')
export class RestoreDrill {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;

  @TimestampColumn({ default: () => 'now()' })
  verifiedAt: Date;

  /** When the backup was begun. */
  @TimestampColumn()
  backupBegunAt: Date;

  /** The number of rows in all tables of the backup. */
  @Column('bigint')
  rows: string;
}
