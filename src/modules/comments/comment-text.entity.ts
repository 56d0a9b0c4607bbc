import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** The text of a comment before an edit; written by a trigger. */
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

  @TimestampColumn()
  writtenAt: Date;

  @TimestampColumn()
  replacedAt: Date;
}
