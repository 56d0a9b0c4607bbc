import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The origin of an act. Personal data is kept apart from the act, so that it can be erased with the person. */
@Entity('audit_origins')
@Index(['userId'])
@Index(['email'], { where: 'email IS NOT NULL' })
export class AuditOrigin {
  @PrimaryColumn('text')
  @ForeignKey('AuditEntry', 'id', { onDelete: 'CASCADE' })
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
