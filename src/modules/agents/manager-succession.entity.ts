import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * A change of the manager of an agent; written by a trigger and never deleted, because former managers stay one person
 * with the agent.
 */
@Entity('manager_successions')
@Index(['successorId'])
export class ManagerSuccession {
  @PrimaryColumn('text')
  @ForeignKey('User')
  formerId: string;

  /** The new manager; the agent itself if there is none. */
  @PrimaryColumn('text')
  @ForeignKey('User')
  successorId: string;
}
