import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/timestamp-column.js';

/** Who was granted something by an invitation: each person uses it once, however often they accept it. */
@Entity('invitation_acceptances')
export class InvitationAcceptance {
  @PrimaryColumn('text')
  @ForeignKey('Invitation')
  invitationId: string;

  @PrimaryColumn('text')
  @ForeignKey('User')
  userId: string;

  @TimestampColumn({ default: () => 'now()' })
  acceptedAt: Date;
}
