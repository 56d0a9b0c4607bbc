import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Moment } from '../../platform/database/moment.js';

/** What a comment said before an edit; written by a trigger and never changed. */
@Entity('comment_texts')
@Index(['commentId', 'replacedAt'])
export class CommentText {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;

  @Column('text')
  @ForeignKey('Comment')
  commentId: string;

  @Column('text')
  content: string;

  @Moment()
  writtenAt: Date;

  @Moment()
  replacedAt: Date;
}
