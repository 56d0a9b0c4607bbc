import { Id, JsonObject, Language, Name, OneOf, Text, Keyword } from '../../platform/http/bodies/fields.js';
import {
  TEMPLATE_CONTAINERS,
  TEMPLATE_SCOPES,
  templateLifecycle,
  type TemplateContainer,
  type TemplateScope,
  type TemplateStatus,
} from './template.lifecycle.js';

const MAX_BODY = 100_000;
const TYPE = /^[a-z][a-z0-9_-]*$/;
const EXAMPLE = '# {{ task.title }}\n\nDue {{ task.due_date | date: "%Y-%m-%d", timezone }}, {{ task.status }}.\n';

export class CreateTemplateDto {
  @Name({ required: true, example: 'Short task report' })
  name: string;

  @Text()
  description?: string;

  @OneOf(TEMPLATE_SCOPES, { required: true, example: 'task' })
  scope: TemplateScope;

  @Keyword({ pattern: TYPE, description: 'One of report (the default), description, checklist, or your own type.' })
  type?: string;

  @Language({ description: 'Defaults to en.' })
  lang?: string;

  @Text({ required: true, max: MAX_BODY, example: EXAMPLE, description: 'Markdown with Liquid; validated on save.' })
  body: string;

  @Id('organization', { description: 'The organization that the template belongs to.' })
  organization_id?: string;

  @OneOf(TEMPLATE_CONTAINERS, {
    description:
      'Follows from organization_id. Without it, it defaults to global for administrators and to personal for others.',
  })
  container?: TemplateContainer;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class UpdateTemplateDto {
  @Name({ nullable: false })
  name?: string;

  @Text()
  description?: string | null;

  @Keyword({ nullable: false, pattern: TYPE })
  type?: string;

  @Language({ nullable: false })
  lang?: string;

  @Text({ nullable: false, max: MAX_BODY, description: 'Markdown with Liquid; validated on save.' })
  body?: string;

  @OneOf(templateLifecycle.statuses, { nullable: false })
  status?: TemplateStatus;

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}

/** The properties that differ from the source of the fork. */
export class ForkTemplateDto {
  @Name()
  name?: string;

  @Text()
  description?: string;

  @Keyword({ pattern: TYPE })
  type?: string;

  @Language()
  lang?: string;

  @Text({ max: MAX_BODY, isNeverBlank: true })
  body?: string;

  @Id('organization', {
    description:
      'The organization that receives the fork. Defaults to the organization of the source if you can create ' +
      'templates there, otherwise the fork is personal.',
  })
  organization_id?: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

/** The entity, and optionally the body, for a preview. */
export class PreviewDto {
  @Id(TEMPLATE_SCOPES, { required: true, description: 'An entity in the scope of the template.' })
  entity_id: string;

  @Text({ max: MAX_BODY, isNeverBlank: true, description: 'A body to render instead of the saved one.' })
  body?: string;
}
