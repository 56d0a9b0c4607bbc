import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The origin of an act. Personal data is kept apart from the act, so that it can be erased with the person. */
@Entity('audit_origins')
@Index(['userId'])
@Index(['email'], { where: 'email IS NOT NULL' })
export class AuditOrigin {
  /** Its partitions have the foreign key, each to that of the entries of its month (`add_month_partitions`). */
  @PrimaryColumn('text')
  entryId: string;

  @Column('text', { nullable: true })
  userId: string | null;

  @Column('text', { nullable: true })
  address: string | null;

  @Column('text', { nullable: true })
  userAgent: string | null;

  /** The e-mail address that a failed sign-in named. */
  @Column('text', { nullable: true })
  email: string | null;
}
