import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** A pending registration whose e-mail address is not verified. Several can exist for one address. */
@Entity('sign_ups')
@Check('sign_ups_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Index(['email', 'createdAt'])
@Index(['expiresAt'])
export class SignUp {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('text')
  email: string;

  @Column('text')
  name: string;

  @Column('text')
  passwordHash: string;

  /** The hash of the invitation token, if any. */
  @Column('text', { nullable: true })
  invitationHash: string | null;

  /** The language of the mails about the sign-up, a BCP 47 tag. */
  @Column('text', { default: 'en' })
  lang: string;

  /** The client network of the request, as formatted by `networkOf`. */
  @Column('text', { default: '' })
  askedFrom: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;

  @TimestampColumn()
  expiresAt: Date;
}
