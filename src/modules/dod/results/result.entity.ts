import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** A check result that another system has posted for a task; the newest result with a name counts. */
@Entity('dod_results')
@Check('dod_results_name_check', 'char_length(name) BETWEEN 1 AND 100')
@Index(['taskId', 'name', 'createdAt', 'id'])
export class DodResult {
  @PrimaryColumn('text')
  @ForeignKey('EntityRow')
  id: string;

  @Column('text')
  @ForeignKey('Task')
  taskId: string;

  @Column('text')
  name: string;

  @Column('boolean')
  passed: boolean;

  @Column('text', { nullable: true })
  detail: string | null;

  /** The roles of the poster in the endeavour when posting the result, including stakeholder roles. */
  @Column('text', { array: true, default: '{}' })
  roles: string[];

  @Column('text')
  @ForeignKey('Resource')
  postedBy: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;
}
