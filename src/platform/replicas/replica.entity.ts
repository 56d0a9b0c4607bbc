import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../database/columns/timestamp-column.js';

/** A running process of the service, which updates its row every few seconds and deletes it when it stops. */
@Entity('replicas')
export class ReplicaRow {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  version: string;

  @Column('text', { nullable: true })
  commit: string | null;

  /** The number of the newest migration that its release contains. */
  @Column('bigint')
  schema: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  startedAt: Date;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  seenAt: Date;
}

/** One row: the schema that a release must contain to run on this database, which contracts raise. */
@Entity('schema_requirements')
@Check('schema_requirements_id_check', 'id')
export class SchemaRequirement {
  @PrimaryColumn('boolean', { default: true })
  id: boolean;

  @Column('bigint', { default: 0 })
  leastSchema: string;
}
