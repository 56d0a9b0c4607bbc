import { Id, JsonObject, Language, Name, OneOf, Text, Word } from '../../platform/http/fields.js';
import {
  TEMPLATE_CONTAINERS,
  TEMPLATE_SCOPES,
  templateLifecycle,
  type TemplateContainer,
  type TemplateScope,
  type TemplateStatus,
} from './template.lifecycle.js';

const MOST_BODY = 100_000;
const TYPE = /^[a-z][a-z0-9_-]*$/;
const EXAMPLE = '# {{ task.title }}\n\nDue {{ task.due_date | date: "%Y-%m-%d", timezone }}, {{ task.status }}.\n';

export class CreateTemplateDto {
  @Name({ required: true, example: 'Short task report' })
  name: string;

  @Text()
  description?: string;

  @OneOf(TEMPLATE_SCOPES, { required: true, example: 'task' })
  scope: TemplateScope;

  @Word({ pattern: TYPE, description: 'report where nothing is said; description, checklist or another word.' })
  type?: string;

  @Language({ description: 'en where nothing is said.' })
  lang?: string;

  @Text({ required: true, max: MOST_BODY, example: EXAMPLE, description: 'Markdown with Liquid; parsed on save.' })
  body: string;

  @Id('organization', { description: 'Whose template it is.' })
  organization_id?: string;

  @OneOf(TEMPLATE_CONTAINERS, {
    description: 'Follows from organization_id. Without that: global for administrators, else personal.',
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

  @Word({ nullable: false, pattern: TYPE })
  type?: string;

  @Language({ nullable: false })
  lang?: string;

  @Text({ nullable: false, max: MOST_BODY, description: 'Markdown with Liquid; parsed on save.' })
  body?: string;

  @OneOf(templateLifecycle.statuses, { nullable: false })
  status?: TemplateStatus;

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}

/** What a fork has otherwise than its source. */
export class ForkTemplateDto {
  @Name()
  name?: string;

  @Text()
  description?: string;

  @Word({ pattern: TYPE })
  type?: string;

  @Language()
  lang?: string;

  @Text({ max: MOST_BODY, isNeverBlank: true })
  body?: string;

  @Id('organization', {
    description: "Where it goes. Without one: to the source's own organization if you may create there, else to you.",
  })
  organization_id?: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

/** What to try a template on. */
export class PreviewDto {
  @Id(TEMPLATE_SCOPES, { required: true, description: "A thing of the template's scope." })
  entity_id: string;

  @Text({ max: MOST_BODY, isNeverBlank: true, description: 'Instead of the saved body.' })
  body?: string;
}
