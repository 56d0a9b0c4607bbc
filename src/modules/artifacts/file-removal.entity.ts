import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** An object that the store is to remove; a trigger asks for it in the transaction in which its artifact loses it. */
@Entity('file_removals')
@Check('file_removals_failures_check', '(failures > 0) = (last_error IS NOT NULL) AND failures >= 0')
@Index(['dueAt'])
export class FileRemoval {
  @PrimaryColumn('text')
  key: string;

  /** Since when the object is to be removed. */
  @TimestampColumn({ default: () => 'clock_timestamp()' })
  since: Date;

  /** When the next attempt is due. */
  @TimestampColumn({ default: () => 'clock_timestamp()' })
  dueAt: Date;

  /** When it is removed again, because an upload that was under way can end until then. */
  @TimestampColumn()
  againAt: Date;

  /** The number of attempts that failed since one succeeded. */
  @Column('integer', { default: 0 })
  failures: number;

  @Column('text', { nullable: true })
  lastError: string | null;
}
