import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** The columns of the service's tables that a client can see or set. */
@Entity('tasks')
export class Task {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  title: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text', { default: 'planned' })
  status: string;

  @Column('text', { name: 'endeavour_id' })
  endeavourId: string;

  @Column('text', { name: 'demand_id', nullable: true })
  demandId: string | null;

  @Column('text', { name: 'assignee_id', nullable: true })
  assigneeId: string | null;

  @Column('text', { name: 'owner_id' })
  ownerId: string;

  @Column('text', { name: 'creator_id' })
  creatorId: string;

  @Column('double precision', { nullable: true })
  estimate: number | null;

  @Column('double precision', { nullable: true })
  actual: number | null;

  @Column('timestamptz', { name: 'due_date', nullable: true })
  dueDate: Date | null;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt: Date | null;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;

  @Column('timestamptz', { name: 'canceled_at', nullable: true })
  canceledAt: Date | null;

  @Column('text', { name: 'canceled_reason', nullable: true })
  canceledReason: string | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;

  @Column('integer', { default: 1 })
  revision: number;
}

@Entity('comments')
export class Comment {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'entity_type' })
  entityType: string;

  @Column('text', { name: 'entity_id' })
  entityId: string;

  @Column('text')
  content: string;

  @Column('text', { name: 'author_id' })
  authorId: string;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;
}

@Entity('users')
export class User {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  email: string;

  @Column('text')
  name: string;

  @Column('text')
  status: string;

  @Column('text')
  lang: string;

  @Column('text')
  timezone: string;

  @Column('boolean', { name: 'is_admin' })
  isAdmin: boolean;

  @Column('smallint')
  tier: number;

  @Column('text', { name: 'resource_id' })
  resourceId: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}

/** The row that the schema requires before a task or a comment. */
@Entity('entities')
export class Thing {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  kind: string;

  @Column('text', { name: 'endeavour_id', nullable: true })
  endeavourId: string | null;

  @Column('text', { name: 'parent_id', nullable: true })
  parentId: string | null;

  @Column('text')
  title: string;
}
