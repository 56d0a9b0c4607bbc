import { Column, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns/timestamp-column.js';

/** The columns of every mutable resource: an id made by the service, times, and a revision that counts changes. */
export abstract class Row {
  @PrimaryColumn('text')
  @ForeignKey('EntityRow')
  id: string;

  @TimestampColumn({ default: () => 'now()' })
  createdAt: Date;

  @TimestampColumn({ default: () => 'now()' })
  updatedAt: Date;

  @Column('integer', { default: 1 })
  revision: number;
}

/** Rows that writers lock (FOR KEY SHARE) and that can be locked exclusively (`Database.lockExclusively`). */
export abstract class LockableRow extends Row {
  @Column('integer', { default: 0, select: false })
  holds: number;
}

/** The columns of versioned entities, which can be forked: rituals, templates, DoD policies (spec 07). */
export abstract class VersionedRow extends Row {
  @Column('integer', { default: 1 })
  version: number;

  @Column('text', { nullable: true })
  predecessorId: string | null;

  @Column('text')
  lineageId: string;

  @Column('text', { default: 'custom' })
  origin: string;
}
