import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Moment } from '../platform/database/moment.js';

/** A membership in an organization or endeavour that ended, written by triggers however it ended. */
@Entity('former_members')
@Index(['userId'])
export class FormerMember {
  @PrimaryColumn('text')
  containerId: string;

  @PrimaryColumn('text')
  @ForeignKey('User')
  userId: string;

  /** When it ended last. */
  @Moment()
  leftAt: Date;
}
