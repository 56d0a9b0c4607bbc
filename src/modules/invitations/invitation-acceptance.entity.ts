import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** Records that an invitation granted something to a user; repeated acceptances by a user count as one use. */
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
