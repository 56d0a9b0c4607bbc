import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { VersionedRow } from '../../platform/database/views/rows.js';
import {
  TEMPLATE_CONTAINERS,
  TEMPLATE_SCOPES,
  templateLifecycle,
  type TemplateContainer,
  type TemplateScope,
  type TemplateStatus,
} from './template.lifecycle.js';

/**
 * A Markdown text with Liquid variables for entities of one kind; built-in, global, personal, or of an organization.
 */
@Entity('templates')
@Index('templates_words_idx', { synchronize: false })
@Index(['lineageId'])
@Index('templates_name_trigram_idx', { synchronize: false })
@Index('templates_body_trigram_idx', { synchronize: false })
@Check('templates_status_check', templateLifecycle.check())
@Check('templates_scope_check', `scope IN ('${TEMPLATE_SCOPES.join("', '")}')`)
@Check('templates_origin_check', "origin IN ('template', 'custom', 'fork')")
@Check('templates_created_by_check', "(origin = 'template') = (created_by IS NULL)")
@Check('templates_version_check', 'version > 0')
@Check('templates_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('templates_body_check', 'char_length(body) BETWEEN 1 AND 100000')
@Check('templates_container_check', `container IN ('${TEMPLATE_CONTAINERS.join("', '")}')`)
@Check('templates_organization_id_check', "(container = 'organization') = (organization_id IS NOT NULL)")
@Check('templates_metadata_check', "jsonb_typeof(metadata) = 'object'")
@Index(['organizationId', 'createdAt', 'id'])
@Index(['scope', 'lang', 'createdAt'])
@Index(['predecessorId'])
@Index(['createdAt', 'id'])
@ForeignKey('Template', ['predecessorId'], ['id'])
@ForeignKey('Template', ['lineageId'], ['id'])
export class Template extends VersionedRow {
  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text')
  scope: TemplateScope;

  @Column('text', { default: 'report' })
  type: string;

  @Column('text', { default: 'en' })
  lang: string;

  @Column('text')
  body: string;

  @Column('text', { nullable: true })
  @ForeignKey('Organization')
  organizationId: string | null;

  @Column('text', { default: 'global' })
  container: TemplateContainer;

  @Column('text', { default: 'active' })
  status: TemplateStatus;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  @Column('text', { nullable: true })
  @ForeignKey('Resource')
  createdBy: string | null;

  /** The full-text search index; maintained by a trigger. */
  @Column('tsvector', { nullable: true, select: false })
  words?: string;
}
